"""Words beside and inside of names, folded to small letters, and what they say of them: data."""

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split(None))


PERSON_TITLES: Final = _words(
    """
    mr mrs ms miss dr prof professor sir lady lord king queen prince princess father sister brother uncle aunt
    president minister chancellor senator governor mayor captain colonel general judge inspector
    director manager ceo cto cfo founder chairman chairwoman engineer doctor nurse coach author singer
    herr herrn frau fräulein doktor professorin kollege kollegin kunde kundin bürgermeister bürgermeisterin kanzler
    kanzlerin ministerin präsident präsidentin direktor direktorin leiter leiterin trainer trainerin
    monsieur madame mademoiselle docteur président présidente directeur directrice
    señor señora sr sra don doña doctora presidenta senhor senhora dom dona
    signor signora signore dott dottor dottoressa presidente meneer mevrouw pan pani господин госпожа
    """
)
"""They stand before the name of a person, or begin it."""

ORGANIZATION_WORDS: Final = _words(
    """
    inc ltd llc plc corp corporation company co gmbh ag kg ug se ev mbh sa sas sarl spa srl bv nv ab oy aps
    university college institute academy school hospital clinic bank ministry department agency council committee
    commission foundation association society union federation group holding holdings industries systems solutions
    technologies software labs laboratories airlines airways motors press publishing records museum orchestra club
    electronics court parliament senate police party church partners consulting insurance pharma energy foods bakery
    brewery
    universität hochschule institut akademie schule krankenhaus klinik klinikum ministerium stiftung verein verband
    gesellschaft genossenschaft gruppe werke stadtwerke sparkasse verlag gericht bundestag polizei partei kirche
    bäckerei brauerei versicherung behörde
    université hôpital banque ministère société association groupe fondation école
    universidad hospital banco ministerio fundación empresa instituto universidade università banca ospedale
    """
)
"""A name with one of them is that of an organization."""

PLACE_WORDS: Final = _words(
    """
    street road avenue square lane river lake mount mountain island islands sea ocean bay beach valley desert forest
    city town county province bridge airport station
    straße strasse platz allee see fluss berg insel meer tal bahnhof flughafen stadt
    rue place lac mont île ville calle plaza río lago isla ciudad via piazza monte rua
    """
)
"""A name with one of them is that of a place."""

PLACE_PREPOSITIONS: Final = _words(
    """
    in near from into via nach aus à en au a di da em no na de w we z do v ve z ze i fra till från в во из на з до
    """
)
"""Words after which a lone name is mostly that of a place: English, German, French, Spanish, Italian, Portuguese,
Polish, Czech, Danish, Swedish, Russian, Ukrainian."""

MOVING: Final = _words(
    """
    flew fly flies flying moved move moves moving went go goes going came come comes travelled traveled travel drove
    drive sailed sail returned return trip flight train way road from
    """
)
"""In a sentence with one of them, a lone name after "to" is that of a place."""

TRAVELLING: Final = _words(
    """
    flew fly flies flying flown moved move moves moving travelled traveled travel travels travelling traveling drove
    drive driving sailed sail sailing trip trips flight flights train trains
    """
)
"""Right before "to", what comes after that is a place, whatever its number of words."""

GOVERNED: Final = _words("mayor mayors governor city town village port")
"""What follows "of" after one of them is a place."""

LEADERS: Final = _words("ceo cto cfo coo founder founders cofounder chairman chairwoman employee employees")
"""Whoever is called so "of" something leads an organization or works there."""

WORKING: Final = _words("work works worked working")
"""Right before "at" or "for", what comes after that is an organization."""

ORGANIZATION_NOUNS: Final = _words(
    """
    company firm brand supplier startup employer charity newspaper magazine publisher
    firma unternehmen konzern zeitung
    société entreprise empresa compañía società azienda editrice firmie firmy firmě
    """
)
"""A name right after one of them is that of an organization."""

ARTICLES: Final = _words("the der die das dem den la le les el los il lo o os as")
"""Two words with capitals after one of them are rarely the name of a person."""

SALUTATIONS: Final = _words(
    "hi hello dear hey liebe lieber hallo bonjour cher chère hola querido querida ciao caro cara"
)
"""A name after one of them is that of a person."""

PERSON_VERBS: Final = _words(
    """
    said says told tells asked asks answered wrote writes called calls met meets thinks thought knows knew likes liked
    loves loved laughed smiled nodded agreed refused reported replied explained left went came works worked lives lived
    sagte sagt fragte fragt antwortete schrieb traf lachte wohnt arbeitet ging kam meinte
    dit demanda répondit dijo preguntó disse chiese
    """
)
"""A lone word with a capital that begins a sentence and stands before one of them is the name of a person."""

ROLE_ENDINGS: Final = (
    "erin", "orin", "istin", "eurin", "chefin", "sprecher", "leiter", "inhaber", "führer", "gründer", "meister",
    "minister", "direktor", "trainer", "autor", "anwalt", "chef", "vorsitzende", "vorsitzender", "präsident",
)  # fmt: skip
"""How German nouns end that stand before the name of a person."""

COUNTRIES: Final = _words(
    """
    england scotland wales ireland france germany italy spain portugal austria switzerland belgium netherlands
    luxembourg denmark norway sweden finland iceland poland hungary romania bulgaria greece turkey ukraine russia
    serbia croatia slovenia slovakia czechia estonia latvia lithuania
    china japan korea india pakistan indonesia vietnam thailand malaysia singapore philippines taiwan iran iraq israel
    egypt morocco algeria tunisia nigeria ghana kenya ethiopia canada mexico brazil argentina chile peru colombia
    australia europe asia africa america usa uk
    deutschland österreich schweiz frankreich italien spanien polen ungarn griechenland türkei russland schweden
    norwegen dänemark niederlande belgien japan indien brasilien europa asien afrika amerika
    """
)
"""Countries and continents."""

NO_NAMES: Final = _words(
    """
    i the a an and or but if when while after before because since although however yesterday today tomorrow now then
    there here this that these those he she it we you they my your his her our their its who what where why how which
    all both each every some many most no not please dear hello hi thanks thank regards sincerely best yours nobody
    everybody somebody people customers from to in
    on at by for with of as is are was were will would can could should may might must do does did has have had let
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
    october november december spring summer autumn winter christmas easter
    english german french spanish italian russian chinese japanese american british european dutch polish
    pdf faq url api http https html json usd eur gbp am pm tv id dna ok asap fyi etc
    der die das ein eine einen und oder aber wenn als nach vor gestern heute morgen dann hier dort er sie es wir ihr ich
    mein unser sein im am um bei mit von zu zum zur für auf aus an in bitte liebe lieber sehr hallo danke viele grüße
    montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember
    le la les un une des et ou mais il elle nous vous ils au aux du de ce cette hier demain bonjour merci
    lundi mardi mercredi jeudi vendredi samedi dimanche
    el los las una y o pero ella ayer hoy mañana este esta señores hola gracias
    lunes martes miércoles jueves viernes sábado domingo
    il lo gli uno e ma ieri oggi domani ciao grazie o os as um uma no na
    """
)
"""Words that begin sentences, days, months and abbreviations: with a capital they are no names."""

JOINING: Final = _words("of van von der den del della di da du dos bin ibn al el ter zu st")
"""Small words within names."""

OF_BEFORE: Final = ORGANIZATION_WORDS | PLACE_WORDS | _words("republic gulf kingdom house museum isle states")
"""Only after one of these does "of" go on with a name."""
