extension CharacterClasses {
  /// Those that OpenCLIP's cleaning asks for: letters, numbers and white space as the package regex
  /// has them, the others as Python 3.11.
  static let cleaning = CharacterClasses([
    (.letter, CleaningTables.letter),
    (.number, CleaningTables.number),
    (.whitespace, CleaningTables.whitespace),
    (.stripped, CleaningTables.stripped),
    (.word, CleaningTables.word),
    (.digit, CleaningTables.digit),
    (.cased, CleaningTables.cased),
    (.caseIgnorable, CleaningTables.caseIgnorable),
    (.control, CleaningTables.control),
    (.firstOfTwo, MojibakeTables.firstOfTwo),
    (.firstOfThree, MojibakeTables.firstOfThree),
    (.firstOfFour, MojibakeTables.firstOfFour),
    (.continuation, MojibakeTables.continuation),
    (.strictContinuation, MojibakeTables.strictContinuation),
  ])
}

extension CanonicalDecomposition.Additions {
  /// Mappings of Python 3.11 (Unicode 14) that Hugging Face's library lacks.
  static let python = CanonicalDecomposition.Additions(
    decompositions: CleaningMappings.decomposition,
    combiningClasses: CleaningMappings.combiningClass)
}
