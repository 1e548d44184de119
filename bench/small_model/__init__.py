"""What a small model does with strangers' tasks, alone and beside others: `./build.sh bench small-model`.

tasks     reads the sets of tasks, strictly, and says what a right call and a right answer are
runs      makes a run of each task with the real loop, with results and a person that are data
report    counts the runs by set, language and need, as tables or JSON
command   the options, and which models are asked
"""
