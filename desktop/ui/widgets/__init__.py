"""Small parts every page is made of."""
