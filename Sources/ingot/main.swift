print("ingot")
