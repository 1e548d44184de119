"""The first model chosen by rates of success, beside always the smallest and always the largest: `bench rates`.

`simulated` has models that fail at known rates; `taught` has the bundled model beside a scripted one that knows the
keys of strangers' tasks. Both measure what the core itself chose: the profile is folded from logs of other requests.
"""
