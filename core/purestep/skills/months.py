"""Names of months as dates have them, folded to small letters: data."""

from typing import Final

MONTHS: Final = """
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec
januar jänner februar märz mai juni juli oktober dezember okt dez
janvier février mars avril juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
januari februari maart mei augustus
stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
ocak şubat mart nisan may\u0131s haziran temmuz ağustos eylül ekim kas\u0131m aral\u0131k
marts maj januari mars augusti
ledna února března dubna května června července srpna října listopadu prosince
січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня
يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر
"""
"""English with its short forms, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Turkish, Danish,
Swedish, Czech, Ukrainian, Arabic; each month once."""
