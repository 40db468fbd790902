/// Cleans text as OpenCLIP's tokenizers do before they split it: repairs it (ftfy 6.3), decodes
/// HTML characters twice, and then, by default, collapses white space and puts letters in lower case.
///
/// All as with Python 3.11, whose Unicode is version 14.
enum OpenCLIPCleaning {
  static func clean(
    _ text: [UInt32], _ cleaning: TextPreparation.Cleaning = .lower
  ) -> [UInt32] {
    var text = TextRepair.repaired(text)
    text = HTMLCharacters.unescaped(HTMLCharacters.unescaped(text))
    switch cleaning {
    case .whitespace: return collapsed(text)
    case .lower: return lowercased(collapsed(text))
    case .canonicalize: return collapsed(lowercased(withoutPunctuation(text)))
    }
  }

  /// Underscores become spaces; the rest of the punctuation of ASCII is left out.
  private static func withoutPunctuation(_ text: [UInt32]) -> [UInt32] {
    text.compactMap { scalar in
      switch scalar {
      case 0x5F: 0x20
      case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: nil
      default: scalar
      }
    }
  }

  /// Runs of white space become one plain space; the ends lose theirs.
  private static func collapsed(_ text: [UInt32]) -> [UInt32] {
    let classes = CharacterClasses.cleaning
    var result: [UInt32] = []
    result.reserveCapacity(text.count)
    var hasSpace = false
    for scalar in text {
      if classes[scalar].contains(.stripped) {
        hasSpace = true
        continue
      }
      if hasSpace && !result.isEmpty { result.append(0x20) }
      hasSpace = false
      result.append(scalar)
    }
    return result
  }

  private static let lowercase = ScalarMapping(CleaningMappings.lowercase)

  private static func lowercased(_ text: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(text.count)
    for (index, scalar) in text.enumerated() {
      switch scalar {
      case 0x41...0x5A: result.append(scalar + 0x20)
      case 0..<0x80: result.append(scalar)
      case 0x3A3: result.append(isFinalSigma(text, index) ? 0x3C2 : 0x3C3)
      default: lowercase.append(scalar, to: &result)
      }
    }
    return result
  }

  /// Whether a sigma ends a word (The Unicode Standard, table 3-17, Final_Sigma).
  private static func isFinalSigma(_ text: [UInt32], _ index: Int) -> Bool {
    let classes = CharacterClasses.cleaning
    let isCased = { (scalar: UInt32) in classes[scalar].contains(.cased) }
    let counts = { (scalar: UInt32) in !classes[scalar].contains(.caseIgnorable) }
    guard let before = text[..<index].last(where: counts), isCased(before) else { return false }
    return !(text[(index + 1)...].first(where: counts).map(isCased) ?? false)
  }
}
