"""What a host did wrong, with a code for programs and a sentence for people.

`catalogue` has the one public error class and the meaning of each code. `suggest` finds the known name that a mistaken
one was probably meant to be, for the messages of errors and for the corrections that a model is sent.
"""

from .catalogue import CATALOGUE, PurestepError
from .suggest import closest
