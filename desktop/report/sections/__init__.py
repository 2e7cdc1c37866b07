"""One module a section of the spec sheet: each turns the quote into finished strings that the template lays out."""
