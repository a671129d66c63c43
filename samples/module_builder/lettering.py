"""Letters of five dots by seven. A character of a glyph is one row, its bits from left to right."""

from __future__ import annotations

LETTERS = {
    "0": "EHHHHHE", "1": "4C4444E", "2": "EH1248V", "3": "V2421HE", "4": "26AIV22", "5": "VGU11HE",
    "6": "68GUHHE", "7": "V124888", "8": "EHHEHHE", "9": "EHHF12C",
    "A": "EHHHVHH", "B": "UHHUHHU", "C": "EHGGGHE", "D": "UHHHHHU", "E": "VGGUGGV", "F": "VGGUGGG",
    "G": "EHGNHHF", "H": "HHHVHHH", "I": "E44444E", "J": "72222IC", "K": "HIKOKIH", "L": "GGGGGGV",
    "M": "HRLLHHH", "N": "HPLJHHH", "O": "EHHHHHE", "P": "UHHUGGG", "Q": "EHHHLID", "R": "UHHUKIH",
    "S": "FGGE11U", "T": "V444444", "U": "HHHHHHE", "V": "HHHHHA4", "W": "HHHLLRH", "X": "HHA4AHH",
    "Y": "HHA4444", "Z": "V1248GV",
    " ": "0000000", "-": "000E000", "+": "044V440", ".": "00000CC", ",": "0000448", ":": "0CC0CC0",
    "/": "11248GG", "(": "2488842", ")": "8422248", "'": "4480000", "?": "EH12404",
    "*": "04LEL40", "&": "CIK8LID", "!": "4444404", "½": "8P8A123", "¼": "8O8A273", "#": "AAVAVAA",
}  # fmt: skip
