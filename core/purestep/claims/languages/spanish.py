"""Spanish: the words by which orders to act, claims of effects and denials are told."""

from typing import Final

from ...carry import words
from .language import Act, ClaimWords


def _act(regular: str, orders: str = "", done: str = "") -> Act:
    """Give an act by the stems of its regular verbs in -ar, and by other verbs and forms."""
    stems = words(regular)
    forms = {stem + ending for stem in stems for ending in ("a", "ar", "e", "en", "ale", "alo", "ala", "arle")}
    past = {stem + ending for stem in stems for ending in ("ado", "ada", "ados", "adas", "é", "amos", "ó")}
    return Act(words(orders).union(forms), words(done).union(past))


SPANISH: Final = ClaimWords(
    name="spanish",
    acts={
        "send": _act("envi mand inform notific avis contact invit avis",
                     "envía envíe envíale envíalo mándale escribe escribir escríbele di dile responde responder",
                     "escrito escrita escribí respondido"),
        "delete": _act("borr elimin cancel anul quit revoc", "bórralo elimínalo cancélalo borre elimine cancele anule",
                       "desaparecido"),
        "make": _act("cre agreg guard reserv registr anot program agend gener apunt",
                     "añade añadir haz hacer inscribe escribe pon cree guarde reserve agende",
                     "añadido añadida añadí hecho hecha inscrito inscrita puesto"),
        "pay": _act("pag abon ingres cobr", "paga transfiere transferir transfiera pague",
                    "transferido transferida transferí transferidos pagué"),
        "refund": _act("reembols", "devuelve devolver", "devuelto devuelta devolví"),
        "publish": _act("public anunci", "comparte compartir publique", "compartido compartida publiqué línea"),
        "deploy": _act("despleg", "despliega desplegar", ""),
        "restart": _act("reinici arranc", "inicia iniciar", "iniciado"),
        "rollback": _act("restaur", "revierte revertir", "revertido revertida"),
        "move": _act("renombr copi", "mueve mover", "movido movida moví"),
        "change": _act("marc cambi actualiz modific edit ajust prorrog renov", "corrige corregir pon",
            "corregido puesto puesta"),
        "switch": _act("apag activ desactiv", "enciende encender", "encendido encendida encendí"),
        "lock": _act("bloque cerr", "cierra cerrar", "cerrado cerrada"),
        "unlock": _act("desbloque", "abre abrir", "abierto abierta"),
        "approve": _act("aprob acept confirm autoriz", "aprueba", ""),
        "reject": _act("rechaz deneg", "rechace", ""),
        "buy": _act("compr encarg", "pide pedir", "pedido"),
        "run": _act("ejecut", "", ""),
        "stop": _act("par termin", "detén detener", "detenido"),
        "merge": _act("fusion", "", ""),
        "install": _act("instal", "", ""),
        "play": _act("", "reproduce reproducir", "reproducido"),
    },
    openings=(
        "quiero que", "me gustaría que", "por favor", "puedes", "podrías", "puede", "podría", "necesito que", "quiero",
        "necesito", "hola", "ahora", "luego", "después", "y", "también", "entonces", "primero", "ok", "vale",
            "gracias", "sí",
    ),
    things={
        "factura": ("invoice", "bill"), "facturas": ("invoice", "bill"), "correo": ("email",), "mensaje": ("message",
            "email"),
        "pedido": ("order",), "pedidos": ("order",), "cita": ("appointment", "event"), "archivo": ("file",),
        "fichero": ("file",), "carpeta": ("dir", "file"), "luz": ("light",), "puerta": ("door",), "vuelo": ("flight",),
        "mesa": ("table",), "tarjeta": ("card",), "solicitud": ("request", "leave"), "servidor": ("server",),
        "reserva": ("booking",), "cliente": ("customer",), "teléfono": ("phone",), "nota": ("note",),
            "reunión": ("event",),
        "temperatura": ("thermostat", "degrees"), "dinero": ("money",), "evento": ("event",),
    },
    loose=words("escribe escribir haz hacer pon di quita cambia crea inicia"),
    composing=words("traduce traducir explica resume corrige redacta reformula mejora"),
    doubts=words("no nunca si cómo como qué cuál cuándo quién sin antes debería debo"),
    doers=words("he hemos yo hice hicimos"),
    addressed=words("tú has usted ustedes han él ella"),
    auxiliaries=words("ha han sido está están fue fueron queda quedan quedó quedaron ya es son"),
    modals=words("va voy van puede puedo podría debe debo debería será serán sería"),
    conditions=words("si cuando"),
    denials=words(
        """
        no nada ningún ninguno ninguna nunca jamás imposible falló fallado error lamentablemente lamento
        desconocido quizás quizá tal pude pudo rechazada rechazado falta sin todavía aún tampoco pendiente
        interrumpido
        """
    ),
    harmless=("no hace falta", "ningún problema", "no hay problema", "sin problemas", "sin errores",
        "no te preocupes", "nada más",
              "ya no", "no solo", "no se preocupe", "de nada"),
    already=words("previamente anteriormente"),
    finished=("listo", "hecho", "terminado", "todo listo", "está hecho", "ya está hecho", "completado",
        "como pediste"),
    asking=("cuál", "qué", "por favor dime", "por favor indica", "dime", "indícame", "necesito", "me falta", "confirma",
            "quieres que", "desea que", "debo", "proporciona"),
    courtesy=("algo más", "puedo ayudar", "otra cosa", "alguna otra", "en qué puedo"),
    offers=("hay que", "debe", "solo puede", "puedo", "podría", "si me", "si lo", "si quieres", "cuando me",
        "en cuanto", "si confirmas"),
    joints=words("y pero luego después entonces mientras porque o así"),
    mine=words("me nos mí"),
    firm=words("reserva reservar reservado reservada agenda agendar agendado agendada programa programado registra"),
    preludes=words("ya está todo eso sí claro vale perfecto ha sido queda"),
    general=words("pon poner"),
    texts=words("frase frases párrafo palabra palabras línea líneas coma texto letra letras poema lista respuesta"),
    units=words("segundo segundos minuto minutos hora horas día días semana semanas mes meses año años veces"),
    participles=("[a-zà-ÿ]{2,}(?:ado|ada|ados|adas|ido|ida|idos|idas)",),
    irregular=words(
        """
        hecho hecha puesto puesta escrito escrita abierto abierta roto cubierto devuelto devuelta resuelto resuelta
        dicho visto enviado
        """
    ),
    unlike=words("lado estado cuidado grado mercado sábado pedido pedidos partido sentido vida medida salida comida"),
    private=words(
        """
        revisado buscado encontrado leído visto comparado calculado contado traducido explicado resumido entendido
        pensado decidido recibido redactado propuesto sugerido recomendado intentado preguntado dicho mencionado elegido
        identificado analizado examinado descrito mostrado dejado esperado consultado sido
        """
    ),
    attributes=words("el la los las un una unos unas mi mis tu tus su sus este esta estos estas de del"),
    present=words("ahora ya"),
    hedges=words("sin todavía aún lamentablemente lamento quizás quizá tal desconocido pendiente"),
    troubles=("agotado", "completo", "lleno", "ocupado", "ya está", "sigue", "siguen", "fuera de", "borrador",
              "propuesta", "mantenimiento", "serían", "necesito", "protegido contra"),
    polite=words("favor quiero necesito gustaría quisiera puedes podrías puede podría debe hay"),
    subjects=words(
        """
        yo nosotros él ella ellos tú usted esto eso este esta mi mis nuestro tu su qué cuál cuáles quién cuándo dónde
        cómo por cuánto cuánta cuántos cuántas es son fue está están hay si sí no gracias hola buenos buenas el la los
        las un una
        """
    ),
    showing=words(
        """
        muestra muéstrame busca encuentra lee lista explica escribe redacta traduce resume di dime dame comprueba revisa
        compara cuenta calcula describe propón ayuda cuéntame
        """
    ),
    drafts=words("borrador propuesta propuestas ejemplo plantilla"),
    failures=words(
        "error errores conflicto fallido fallida rechazado rechazada denegado"
    ),
    failing=(
        "error", "fallo", "no se pudo", "no se ha podido", "no pude", "imposible", "acceso denegado", "denegado",
        "rechazado", "rechazada", "no encontrado", "tiempo agotado",
    ),
    deadlines=words("antes"),
    readers=words("tú usted te le quieres quiere deseas desea prefieres prefiere yo me"),
    clitics=("selo", "sela", "les", "los", "las", "le", "lo", "la", "me", "nos"),
    intents=("quiero", "necesito", "me gustaría", "voy a", "tengo que", "pienso"),
    reasons=words("porque pues"),
    places=words("en"),
    reads=words(
        """
        ver leer lee buscar busca consultar consulta listar lista mostrar muestra obtener obtiene rastrear rastrea
        encontrar estado saldo devuelve
        """
    ),
    becomes=words("es eres está están estás sido fue queda quedó"),
    invites=("que lo", "que la",),
    handing=words("dame dime trae"),
    gone=("ya no existe",),
    progress=("camino",),
    idle=words(""),
    outcomes=words(
        "aprobado aprobada completado completada terminado terminada entregado entregada listo lista llegado llegada"
    ),
    on=words("enciende encender encienda activa activar"),
    off=words("apaga apagar apague desactiva desactivar"),
    degrees=words("grado grados"),
    completed=words("hecho hecha completado completada"),
    assents=("sí", "si", "por favor", "vale", "adelante", "hazlo", "ok", "claro", "perfecto", "de acuerdo"),
    again=("inténtalo de nuevo", "inténtalo otra vez", "prueba otra vez", "prueba de nuevo", "vuelve a intentarlo"),
    ands=words("y e"),
    perfect=words("he hemos ha"),
    wording=words("escribe redacta traduce"),
    yours=words("tu tus su sus"),
    titles=words("señor señora sra"),
    days=words("hora horas lunes martes miércoles jueves viernes sábado domingo hoy mañana ayer"),
    interjections=words("ok sí claro vale perfecto bien"),
    limits=words("solo"),
    months=("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
            "noviembre", "diciembre"),
    numbers=("dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce"),
)  # fmt: skip
