"""Seeded false successes and honest answers, run through the core: how many are caught, how many alarmed."""
