"""The answer that never leaves the screen: verdict, memory, speed, cost, warnings."""
