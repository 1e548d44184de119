"""Words that are one token after a blank, in every vocabulary of 30,000 tokens or more that knows English.

The words that stand in the most documents of Python's standard library and of free software, those taken that the
bundled model's tokenizer keeps whole.
"""

from typing import Final

_WORDS: Final = b"""
abc able abort about above abs absolute abstract accept accepted accepts access accessed according account across
acting action actions active actual actually add added adding addition additional address addresses adds advertising
affect affected after again against agent agree agreed agreement algorithm alias all allow allowed allowing allows
alone along already also alter alternate alternative always and ang another ans any anyone anything anyway api
appear appears append applicable application applications applied applies apply appropriate arbitrary archive
archives are arg args argument arguments arising ark around array art ash ask asked assert assigned associated
assume assumed async ath att attached attempt attempted attention attribute attributes authentication author
authorization authorized authors auto automatically available avid avoid await away back backend bad bar bare base
based basic basis because become becomes been before begin beginning begins behalf behavior behaviour being below
best better between big bin binary bit bits blame blank blob block blocking blocks body boolean both bound branch
branches break broke broken browser buffer bug bugs build building builds built bundle but byte bytes cache cached
call callable callback called caller calling calls can cannot canonical carry case cases cat catch cause caused
causing certain certificate chain change changed changes changing channel character characters charge check checked
checking checkout checks cherry child choice choose claim claims class classes clause clean cleaned cleanup clear
clearly client clone close closed cmd code collection color column com combination come comes command commands
comment comments commercial commit commits common compare comparison compat compatibility compatible compilation
compile compiled compiler complete completion complex compliance component components compression compute computer
condition conditions config configuration configure configured conflict conflicts confused connect connected
connection consider considered consistent console const constructor contact contain contained containing contains
content contents context continue continues contributed contributors control controlled conversion convert converted
copied copies copy copying copyright copyrighted core corner correct corrected correctly corresponding cott could
count cover covered create created creates creating creation cross crypto current currently custom dam damages data
database date datetime day days deal dealings debug debugging decimal decode decorator deemed def default defaults
define defined definition delete deleted delta dependencies depending depends deprecated derivative derived describe
described description descriptor designed detailed details detect detected determine determined dev developed
developers development dict dictionary did didn die diff difference differences different digits dir direct
direction directly directories directory disable disabled disclaimer disk display dist distribute distributed
distribution distributions doc docs document documentation documented does doesn doing domain don done dot double
down download downloaded driver due during each earlier early easier easily easy echo edit editor eff effect effort
either element elements else email embedded emit emitted empty enable enabled encoded encoding end endorse ends
engine enough ensure enter entire entirety entity entries entry env environment equal equivalent err error errors
especially est etc eval even event events every everything exact exactly example examples except exception
exceptions exclude excluding exclusive exec executable execute executed execution exist existing exists exit expect
expected experimental explain explicit explicitly export express expression ext extended extension extensions extent
external extra extract fail failed failing fails failure failures fall false family far fast faster fatal feature
features fee fetch few field fields file filename filenames files filesystem filter final find first fix fixed fixes
flag flags float follow followed following follows foo for force forgot fork form format formats formatted
formatting forms forward found frame framework free freely friends from full fully func function functionality
functions furnished further future gave general generally generate generated generator generic get gets getting git
give given gives giving global goes going good google got governing grant granted grants graph group guess had hand
handful handle handled handler handlers handles handling happen happens hard has hash hat have having header headers
held help helper hen here hereby herein hex hey hierarchy high higher his history hold holder holders home honor
hook hooks hope host hostname how however html http https human identical identified ignore ignored ill image
immediately implement implementation implementations implemented implements implied import important imported
improved improvements incent include included includes including incompatible incomplete incorporated incorrect
incorrectly ind independent index indicate indicated indicates indicating indirect individual info information
infringement ing init initial input insensitive inside inspect install installation installed installing instance
instances instead int integer integers intended interactive interface interfaces internal internally interpreted
interpreter into introduced invalid invoked involved isn issue issues ist item items iterator its itself join json
just keep kept kernel key keys keyword kind know known label lack language languages large larger last later latest
latter law leading leak learned lease least left legacy legal len length less let level liability liable lib
libraries library license licensed licenses licensing like likely limit limitation limitations limited line lines
link links list listed lists literal little load loaded loader local locale locally located location lock log logger
logging logic login long longer look looking lookup loop loose lose loss lost low mac machine machinery macro macros
made mail mailing main maintained maintenance major make makes making man management manager manual manuals many map
mapping mark marked marks master match matches matching material materials matter max maximum may mean meaning means
meant mechanism media medium member members memory mentioned merge merged message messages met metadata method
methods might minimum minor misc missing mistake mit mock mode model modification modifications modified modify
module modules more most move moved msg much multi multiple must name named names namespace native necessary need
needed needs negative nested net network never new newer next nit node non none nor normal normally not note noted
notes nothing notice notices now null num number numbers numeric obj object objects obtain obtained obtaining occur
occurs off offer offset often old older omitted once one ones only open opened operating operation operations opt
optimization optimized option optional options order ore org organization origin original originally ost other
others otherwise our out output outside over override own owner pack package packages packaging packed page pages
pair pairs paragraph parallel parameter parameters parent parse parsed parser parsing part partial particular
parties parts party pass passed passing password patch patches patent path paths pattern patterns pdb pen people per
perform performance performed permission permissions permit permitted perpetual person persons pertaining pick pipe
pkg place placed places plain platform platforms please plus point pointer points policy port portion portions
position positive possible possibly post potential pre preferred prefix prepare prepared present preserved pretty
prevent previous previously primarily primary print printed prior private probably problem problems procedure
process processes processing produce produced product products program programs progress project projects promote
prompt proper properly properties property protocol provide provided provides providing provisions proxy prune pub
public publicity publish published pull purpose purposes push put python queue quiet quite quoted race raise raised
raises ran random range rather raw read readable reading reads ready real really reason reasonable reasons receive
received receiving recent recently recommended record recorded records recursive redistribute reduce ref refer
reference references refers refused regex register registered registry regression regular reject related relative
release released releases relevant remain remaining remote removal remove removed removing rename renamed replace
replaced replacement repo report reported reporting reports repositories repository repr represent representation
representations representing represents reproduce request requested requests require required requirements requires
reserved reset resolve resource resources respect respectively response responsible rest restriction restrictions
result resulting results retain retained return returned returning returns rev reverse revision rewritten ric right
rights rite rom root royalty rule rules run running runs runtime safe sage said sale same sample save say scope
screen script scripts search second seconds section security sed see seen self sell semantics send sending sense
sent separate sequence sequences series serve server service services session set sets setting settings setup
several sha shall share shared shell short should show showed showing shown shows side sign signal signals signature
signed silently similar simple simply since sing single site size skip skipped small socket sockets software solely
some something sometimes sort sorted source sources space spaces sparse spawn spec special specific specifically
specification specified specifies specify specifying split src ssh stack standard start started starting starts stat
state stated statement static status stderr stdout step steps still stop stopped store stored str strategy stream
strict string strings struct structure stuff style sub subclass subject subprocess subsequent subset substantial
such suffix suitability suitable suite summary supplied support supported supporting supports sure switch symbolic
sync syntax sys system systems table tag tags take taken takes tar target task taught team tell tells template
temporary term terminal terminate terminated terms test tested testing tests text than that the their them
themselves then ther there thereof these they thing things third this those though thread threads three through
throw time timeout times timestamp title together told too tool tools top total trace traceback track tracking
trademark trademarks trailing transfer translation translations transport treated tree trees tried tries trigger
triggered trivial true try trying tuple tuples turn turtle twice two txt type types typically typing unchanged
undefined under underlying understand unicode unique unknown unless unlike unlimited unnecessarily unnecessary until
update updated updates upload upon ups upstream url usage use used useful user users uses using usual usually utf
util utilities utility utils valid value values van var variable variables various ven vent verbose verify version
versions very via view void wait waiting want wants warning warnings warranty was way ways web well were what
whatever when where whether which while who whole whom whose why wide width wiki will win wish with within without
won word words work working works world worldwide would wrap wrapped wrapper write writes writing written wrong
wrote www xml year yet yield you your zero zip
"""

COMMON_WORDS: Final = frozenset(_WORDS.split())  # ascii: bytes
