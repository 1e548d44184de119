"""The command as a module: `python -m purestep_hosts.cli`."""

from purestep_hosts.cli import main

if __name__ == "__main__":
    main()
