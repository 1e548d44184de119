"""French: the words by which orders to act, claims of effects and denials are told."""

from typing import Final

from ...carry import words
from .language import Act, ClaimWords


def _act(regular: str, orders: str = "", done: str = "") -> Act:
    """Give an act by the stems of its regular verbs in -er, and by other verbs and forms."""
    stems = words(regular)
    forms = {stem + ending for stem in stems for ending in ("e", "er", "ez", "es")}
    past = {stem + ending for stem in stems for ending in ("é", "ée", "és", "ées")}
    return Act(words(orders).union(forms), words(done).union(past))


FRENCH: Final = ClaimWords(
    name="french",
    acts={
        "send": _act("envoy renvoy inform notifi post avis invit contact expédi",
                     "envoie envoies écris écrire dis préviens prévenir transmets transmettre réponds répondre",
                     "prévenu prévenue transmis transmise écrit écrite répondu parti partie reçu"),
        "delete": _act("supprim effac annul enlev retir révoqu", "", "disparu disparue"),
        "make": _act("cré ajout réserv enregistr not sauvegard planifi programm export téléchargé",
                     "crée fais inscris inscrire prends écris écrire mets", "inscrit inscrite pris ouverte ouvert"),
        "pay": _act("pay vir vers transfér régl", "paie paies transfère règle", "réglé réglée viré"),
        "refund": _act("rembours", "", ""),
        "publish": _act("publi partag annonc", "", "ligne"),
        "deploy": _act("déploy", "déploie", "ligne"),
        "restart": _act("redémarr relanc lanc démarr", "", ""),
        "rollback": _act("restaur", "rétablis rétablir", "rétabli rétablie"),
        "move": _act("déplac renomm copi", "", ""),
        "change": _act("modifi chang ajust corrig remplac prolong renouvel", "mets mettre règle", "mis mise"),
        "switch": _act("allum activ désactiv", "éteins éteindre", "éteint éteinte"),
        "lock": _act("verrouill bloqu ferm", "", ""),
        "unlock": _act("déverrouill débloqu", "ouvre ouvrir", "ouvert ouverte"),
        "approve": _act("approuv accept confirm valid autoris", "", ""),
        "reject": _act("refus rejet", "rejette", ""),
        "buy": _act("achet command", "achète", ""),
        "run": _act("exécut", "exécute", ""),
        "stop": _act("arrêt", "", ""),
        "merge": _act("fusionn", "", ""),
        "install": _act("install", "", ""),
        "play": _act("jou", "", ""),
    },
    openings=(
        "est ce que tu peux", "je voudrais que tu", "je veux que tu", "s il te plaît", "s il vous plaît", "peux tu",
        "pouvez vous", "pourrais tu", "pourriez vous", "tu peux", "veuillez", "je voudrais", "je veux", "bonjour",
        "salut", "merci de", "maintenant", "ensuite", "puis", "et", "aussi", "alors", "d abord", "ok", "oui",
    ),
    things={
        "facture": ("invoice", "bill"), "factures": ("invoice", "bill"), "message": ("message", "email"),
        "mail": ("email",), "courriel": ("email",), "réservation": ("booking", "reservation"),
        "réservations": ("booking", "reservation"), "rendez": ("appointment", "event"), "fichier": ("file",),
        "dossier": ("dir", "file"), "lumière": ("light",), "porte": ("door",), "commande": ("order",),
            "vol": ("flight",),
        "table": ("table",), "carte": ("card",), "demande": ("request",), "serveur": ("server",),
            "client": ("customer",),
        "compte": ("account",), "téléphone": ("phone",), "température": ("thermostat", "degrees"),
        "événement": ("event",), "réunion": ("event",), "note": ("note",),
    },
    loose=words("écris écrire fais dis mets enlève retire note lance change"),
    composing=words("traduis traduire explique résume corrige rédige reformule améliore"),
    doubts=words("ne n pas jamais si comment pourquoi quel quelle quels qui quand sans avant dois devrais"),
    doers=words("j je nous ai avons on"),
    addressed=words("tu vous il elle"),
    auxiliaries=words("est sont été a ont était étaient fut maintenant bien désormais"),
    modals=words("va vais vont peut peux pourrait doit dois devrait sera seront serait"),
    conditions=words("si quand lorsque"),
    denials=words(
        """
        ne n pas aucun aucune rien jamais impossible échoué échec erreur malheureusement désolé désolée inconnu
        introuvable peut-être peut refusé refusée manque incertain panne sans encore attente planté interrompu
        """
    ),
    harmless=("pas besoin", "n a plus rien", "plus rien",
        "pas de problème", "pas de souci", "n est plus", "n existe plus", "ne sont plus",
        "n existent plus",
              "sans problème", "sans erreur", "rien d autre", "pas seulement", "ne vous inquiétez pas",
                  "ne t inquiète pas"),
    already=words("déjà auparavant"),
    finished=("c est fait", "fait", "voilà", "voilà c est fait", "terminé", "c est réglé", "c est bon",
        "tout est fait", "tout est réglé",
              "comme demandé", "tout est prêt"),
    asking=("quel", "quelle", "quels", "quelles", "veuillez", "donnez moi", "donne moi", "indique moi", "indiquez moi",
            "précise", "précisez", "dois je", "voulez vous", "veux tu", "j ai besoin", "il me faut", "il me manque",
                "confirme"),
    courtesy=("autre chose", "puis je vous aider", "puis je t aider", "d autres questions", "que puis je"),
    offers=("il faut", "doit", "seul", "seule", "je peux", "je pourrais", "si tu", "si vous", "dès que tu",
        "dès que vous", "avant de"),
    joints=words("et mais puis ensuite donc car ou tandis pendant"),
    mine=words("moi nous me"),
    firm=words(
        """
        réserve réserver réservé réservée inscris inscrire inscrit inscrite prolonge prolongé planifie planifié
        """
    ),
    preludes=words("c est tout cela ça a été oui bien ok d accord parfait"),
    general=words("mets mettre règle"),
    texts=words("phrase phrases paragraphe mot mots ligne lignes virgule texte lettre lettres poème liste réponse"),
    units=words("seconde secondes minute minutes heure heures jour jours semaine semaines mois an ans fois"),
    participles=("[a-zà-ÿ]{2,}(?:é|ée|és|ées)",),
    irregular=words(
        """
        mis mise mises remis pris prise fait faite faits faites refait inscrit inscrite écrit écrite ouvert ouverte
        envoyé transmis transmise rendu rendue parti partie venu vendu vendue prévenu prévenue éteint éteinte rétabli
        """
    ),
    unlike=words("été côté café clé santé société quantité réalité possibilité difficulté sécurité activité qualité"),
    private=words(
        """
        vérifié cherché trouvé regardé lu vu comparé calculé compté traduit expliqué résumé compris pensé décidé reçu
        préparé rédigé proposé suggéré recommandé essayé tenté demandé dit mentionné choisi identifié localisé analysé
        examiné décrit montré laissé gardé attendu consulté
        """
    ),
    attributes=words("le la les l un une des du de mon ma mes ton ta votre vos notre ce cette ces"),
    present=words("maintenant désormais"),
    hedges=words("sans encore malheureusement désolé désolée inconnu incertain attente"),
    troubles=("complet", "complète", "occupé", "occupée", "fermé", "reste", "restent", "hors service", "épuisé",
              "brouillon", "proposition", "en panne", "maintenance", "j ai besoin", "protégé en écriture"),
    polite=words("plaît voudrais aimerais veux besoin faut doit faudrait"),
    subjects=words(
        """
        je j nous il elle ils elles tu vous on ce c ça cela cette ces mon ma mes notre votre quel quelle quels quelles
        qui que quoi quand où comment pourquoi combien est sont était a ont si oui non pas merci bonjour salut bonsoir
        le la les l un une des
        """
    ),
    showing=words(
        """
        montre montrez cherche cherchez trouve trouvez lis lisez liste explique expliquez écris écrivez rédige traduis
        résume dis donne donnez vérifie vérifiez compare compte calcule décris propose aide raconte
        """
    ),
    drafts=words("brouillon proposition propositions exemple modèle"),
    failures=words(
        "erreur erreurs conflit échec échoué refusé rejeté"
    ),
    failing=("erreur", "échec", "impossible de", "accès refusé", "refusé", "rejeté", "introuvable", "délai dépassé"),
    deadlines=words("avant"),
    readers=words("tu vous te je nous"),
    intents=("je voudrais", "je veux", "je vais", "je dois", "j aimerais", "je souhaite", "je compte"),
    reasons=words("parce car puisque"),
    places=words("dans"),
    reads=words(
        """
        lire lit voir chercher cherche consulter consulte lister liste afficher affiche obtenir montrer montre trouver
        trouve rechercher recherche suivre statut solde donne renvoie retourne
        """
    ),
    becomes=words("est es êtes sont été"),
    invites=("que je",),
    handing=words("donne dis apporte"),
    gone=("n existe plus", "n existent plus",),
    progress=("route",),
    idle=words(""),
    outcomes=words("approuvé approuvée réussi réussie terminé terminée livré livrée prêt prête arrivé arrivée"),
    on=words("allume allumer allumez active activer"),
    off=words("éteins éteindre éteignez désactive désactiver"),
    degrees=words("degré degrés"),
    completed=words("fait faite terminé terminée"),
    assents=(
        "oui", "d accord", "vas y", "allez y", "s il te plaît", "s il vous plaît", "ok", "parfait",
        "merci de le faire",
    ),
    again=(
        "réessaie", "réessayez", "essaie encore", "essayez encore", "recommence",
    ),
    ands=words("et"),
    perfect=words("ai avons a"),
    wording=words("écris écrivez rédige rédigez traduis"),
    yours=words("ton ta tes votre vos"),
    titles=words("madame monsieur mme"),
    days=words("heure heures lundi mardi mercredi jeudi vendredi samedi dimanche demain hier midi minuit"),
    interjections=words("ok oui bien parfait accord super"),
    limits=words("seulement"),
    months=("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
            "novembre", "décembre"),
    numbers=("deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze"),
)  # fmt: skip
