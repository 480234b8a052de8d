"""What people see, in real browsers, on three simulated laptops and a phone. Scripts/browser-tests runs it."""
