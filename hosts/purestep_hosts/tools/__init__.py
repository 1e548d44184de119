"""Tools that a native host offers: what the model sees is data, what runs is here."""
