"""Days, people, messages, shops, travel, books."""

from datetime import date as day
from datetime import datetime, timedelta
from typing import Any

from bench.carry.simulated.failure import Failure, World


def event_add(world: World, title: str, date: str, time: str = "", minutes: int = 60) -> str:
    """Put an event into the calendar."""
    _day(date)
    if not title.strip():
        raise Failure("an event has a title")
    world["events"].append({"id": f"ev{len(world['events']) + 1}", "title": title, "date": date, "time": time})
    return f"created: {title} on {date}{' at ' * bool(time)}{time}"


def event_start(world: World, summary: str, start: str, duration_minutes: int = 60) -> str:
    """Put an event into the calendar, by its start."""
    date, _, time = start.partition("T")
    return event_add(world, summary, date, time)


def events_on(world: World, date: str) -> str:
    """Give the events of a day."""
    _day(date)
    found = [f"{each['time']} {each['title']} ({each['id']})" for each in world["events"] if each["date"] == date]
    return "\n".join(found) or f"nothing on {date}"


def event_get(world: World, event_id: str) -> dict[str, Any]:
    """Give one event."""
    for each in world["events"]:
        if each["id"] == event_id:
            return dict(each)
    raise Failure(f"there is no event {event_id}")


def event_delete(world: World, event_id: str) -> str:
    """Remove an event by its id."""
    event = event_get(world, event_id)
    world["events"] = [each for each in world["events"] if each["id"] != event_id]
    return f"deleted: {event['title']}"


def event_cancel(world: World, title: str, date: str) -> str:
    """Remove an event by its title and day."""
    found = [each for each in world["events"] if each["title"].lower() == title.lower() and each["date"] == date]
    if not found:
        raise Failure(f"there is no {title!r} on {date}")
    return event_delete(world, found[0]["id"])


def days_between(world: World, start: str, end: str) -> int:
    """Count days."""
    return abs((_day(end) - _day(start)).days)


def weekday(world: World, date: str) -> str:
    """Give the day of the week."""
    return ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")[_day(date).weekday()]


def clock(world: World, timezone: str) -> str:
    """Give the world's time in a zone."""
    return (datetime.fromisoformat(world["now"]) + timedelta(minutes=_zone(world, timezone))).strftime("%Y-%m-%d %H:%M")


def clock_convert(world: World, source: str, time: str, target: str) -> str:
    """Give a time of one zone in another."""
    try:
        hours, minutes = map(int, time.split(":"))
    except ValueError:
        raise Failure(f"expected a time such as 14:30, not {time!r}") from None
    there = (hours * 60 + minutes - _zone(world, source) + _zone(world, target)) % 1440
    return f"{there // 60:02d}:{there % 60:02d}"


def contact(world: World, name: str) -> str:
    """Give a person's address and number."""
    for known, entry in world["contacts"].items():
        if name and name.lower() in known.lower():
            return f"{known}: {entry['email']}, {entry['phone']}"
    raise Failure(f"no contact is named {name}")


def contact_add(world: World, name: str, email: str) -> str:
    """Keep a person's address."""
    _address(email)
    world["contacts"][name] = {"email": email, "phone": ""}
    return f"saved {name} <{email}>"


def mail(world: World, to: str, text: str) -> str:
    """Send a mail."""
    _address(to)
    if not text.strip():
        raise Failure("the mail has no text")
    world["sent"].append({"to": to, "text": text})
    return f"sent to {to}"


def channels(world: World, limit: int = 100) -> list[str]:
    """Give the channels' names."""
    return list(world["channels"])[:limit]


def channel_post(world: World, channel: str, text: str) -> str:
    """Write into a channel."""
    _channel(world, channel).append({"user": "me", "text": text})
    return f"posted to {channel}"


def channel_read(world: World, channel: str, limit: int = 10) -> str:
    """Give a channel's last messages."""
    return "\n".join(f"{each['user']}: {each['text']}" for each in _channel(world, channel)[-limit:])


def member(world: World, user_id: str) -> dict[str, str]:
    """Give a member's profile."""
    if user_id not in world["members"]:
        raise Failure(f"user_not_found: {user_id}")
    return dict(world["members"][user_id])


def order(world: World, number: Any) -> dict[str, Any]:
    """Give an order."""
    if str(number) not in world["orders"]:
        raise Failure(f"there is no order {number}")
    return dict(world["orders"][str(number)])


def order_status(world: World, number: Any) -> str:
    """Say where an order is."""
    return f"order {number}: {order(world, number)['status']}"


def refund(world: World, number: Any) -> str:
    """Pay an order back."""
    total = order(world, number)["total"]
    world["orders"][str(number)]["status"] = "refunded"
    return f"refunded {total} EUR for order {number}"


def stock(world: World, article: str) -> str:
    """Say how many of an article are there."""
    if article.lower() not in world["stock"]:
        raise Failure(f"no article is called {article}")
    return f"{world['stock'][article.lower()]} in stock"


def pay(world: World, amount: float, to: str) -> str:
    """Pay somebody."""
    if amount <= 0 or not to.strip():
        raise Failure("expected an amount and somebody to pay")
    world["paid"].append([to, amount])
    return f"paid {amount} EUR to {to}"


def weather(world: World, city: str) -> str:
    """Give a city's weather."""
    if city not in world["weather"]:
        raise Failure(f"no weather station in {city}")
    return str(world["weather"][city])


def forecast(world: World, city: str, days: int = 3) -> str:
    """Give a city's weather for some days."""
    return f"{city}, {days} days: {weather(world, city)}"


def flight(world: World, flight: str) -> str:
    """Say whether a flight is on time."""
    if flight.replace(" ", "") not in world["flights"]:
        raise Failure(f"there is no flight {flight}")
    return f"{flight}: {world['flights'][flight.replace(' ', '')]}"


def trains(world: World, origin: str, destination: str, date: str = "") -> str:
    """Give the trains between two cities."""
    if date:
        _day(date)
    found = world["trains"].get(f"{origin}-{destination}")
    if found is None:
        raise Failure(f"no train from {origin} to {destination}")
    return str(found)


def hotel(world: World, city: str, nights: int) -> str:
    """Book a hotel."""
    if nights < 1 or not city:
        raise Failure("expected a city and one night or more")
    return f"booked {nights} nights in {city}, reference H{len(city)}{nights:02d}"


def book(world: World, query: str) -> str:
    """Find books by title or author."""
    found = [f"{isbn}: {title}" for isbn, title in world["books"].items() if query and query.lower() in title.lower()]
    return "\n".join(found) or f"no book found for {query}"


def lend(world: World, isbn: str, reader: str) -> str:
    """Lend a book."""
    if isbn not in world["books"]:
        raise Failure(f"there is no book {isbn}")
    return f"lent {world['books'][isbn]} to {reader}"


def due(world: World, isbn: str) -> str:
    """Say when a book is due."""
    if isbn not in world["due"]:
        raise Failure(f"{isbn} is not lent")
    return f"due on {world['due'][isbn]}"


def _day(text: str) -> day:
    try:
        return day.fromisoformat(text)
    except ValueError:
        raise Failure(f"expected a date such as 2026-03-16, not {text!r}") from None


def _zone(world: World, name: str) -> int:
    if name not in world["zones"]:
        raise Failure(f"unknown time zone {name}")
    return int(world["zones"][name])


def _address(text: str) -> None:
    name, at, host = text.partition("@")
    if not (name and at and "." in host) or " " in text:
        raise Failure(f"{text!r} is no e-mail address")


def _channel(world: World, name: str) -> list[dict[str, str]]:
    found = world["channels"].get(name.removeprefix("#"))
    if found is None:
        raise Failure(f"channel_not_found: {name}")
    return found
