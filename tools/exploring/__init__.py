"""Bounded model checking of the core: every sequence of observations over small alphabets, and a rule for each promise.

`definitions` holds small agent definitions, each with the observations that it is explored with. `exploration` makes
every one of them in every state, breadth first, through the typed functions that hosts use, and merges states that
differ in nothing that a later step reads. An onlooker writes down what happened (`book`) from the observations and the
decisions alone, and `rules` hold each decision and log line to the definition and to that book. Nothing of what they
say is read off the core's state, so a core that forgets something is found. `mutants` names faults, each a small
change of the core's source, and `mutant_runs` shows that the rules find every one.

Sources: explicit-state model checking (SPIN, TLC), bisimulation, mutation testing.
"""
