"""What is wrong with an adapter, and how to put it right: for whoever is writing one."""
