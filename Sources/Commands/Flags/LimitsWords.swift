import ArgumentParser
import Gate
import Inputs
import Project
import StrictJSON

/// Limits as users write them: `standard,cosine-mean=0.98`.
///
/// They mean what the keys of `gate.limits` mean in a project. A limit that is weaker than the
/// profile's needs no word besides: whoever types it has said so, and the verdict says it again. The
/// word `weakened` is taken and changes nothing.
struct LimitsWords {
  private var profile: Limits.Profile?
  private var overrides: [Limits.Key: Double] = [:]
  private var saysWeakened = false

  /// The limits that a text asks for.
  ///
  /// - Throws: `ValidationError` that names the option.
  static func read(_ text: String) throws -> Limits {
    var words = LimitsWords()
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      try words.take(LimitsWords.trimmed(word), of: text)
    }
    return try words.limits()
  }

  /// A word without the blanks around it.
  private static func trimmed(_ word: Substring) -> String {
    var word = word.drop { $0 == " " }
    while word.last == " " { word.removeLast() }
    return String(word)
  }

  private mutating func take(_ word: String, of text: String) throws {
    if word == "weakened" {
      guard !saysWeakened else { throw LimitsWords.error("names 'weakened' twice") }
      saysWeakened = true
      return
    }
    guard let equals = word.firstIndex(of: "=") else { return try takeProfile(word, of: text) }
    let name = String(word[..<equals]), digits = String(word[word.index(after: equals)...])
    guard let key = Limits.Key.allCases.first(where: { $0.option == name }) else {
      throw LimitsWords.error("has no limit '\(name)'; \(LimitsWords.hint(for: name))")
    }
    guard let value = Double(digits), value.isFinite else {
      throw LimitsWords.error("gives '\(name)' as '\(digits)', expected a number")
    }
    guard key.range.contains(value) else {
      let (minimum, maximum) = (key.range.lowerBound, key.range.upperBound)
      throw LimitsWords.error(
        "gives '\(name)' as \(Figures.plain(value)), expected a number from \(Figures.plain(minimum)) to "
          + Figures.plain(maximum))
    }
    guard overrides.updateValue(value, forKey: key) == nil else {
      throw LimitsWords.error("gives '\(name)' twice")
    }
  }

  /// The limit that was probably meant, by its key in a project too; else all there are.
  private static func hint(for name: String) -> String {
    let options = Limits.Key.allCases.map(\.option)
    let meant =
      Limits.Key.allCases.first { $0.rawValue.lowercased() == name.lowercased() }?.option
      ?? Suggestion.nearest(to: name, among: options)
    return meant.map { "did you mean '\($0)'?" } ?? "known: \(options.joined(separator: ", "))"
  }

  private mutating func takeProfile(_ word: String, of text: String) throws {
    guard let found = Limits.Profile(rawValue: word) else {
      let known = Limits.Profile.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "--limits '\(word)' is none of \(known)"
          + (text == word ? "" : ", and no limit as cosine-mean=0.98"))
    }
    guard profile == nil else { throw LimitsWords.error("names two profiles") }
    profile = found
  }

  private func limits() throws -> Limits {
    do {
      return try Limits(
        profile: profile ?? .standard,
        overrides: Dictionary(uniqueKeysWithValues: overrides.map { ($0.key.rawValue, $0.value) }))
    } catch {
      throw ValidationError("--limits: \(error)")
    }
  }

  private static func error(_ fault: String) -> ValidationError {
    ValidationError("--limits \(fault)")
  }
}

extension Limits.Key {
  /// The name on the command line: `cosine-mean`.
  var option: String {
    switch self {
    case .cosineMean: "cosine-mean"
    case .cosineMin: "cosine-min"
    case .similarityDriftMean: "similarity-drift-mean"
    case .similarityDriftMax: "similarity-drift-max"
    case .neighbourOverlap: "neighbour-overlap"
    case .calibrationError: "calibration-error"
    }
  }

  /// The limited metric, with its unit.
  private var meaning: String {
    switch self {
    case .cosineMean: "cosine of embeddings to the baseline's, mean"
    case .cosineMin: "the same, of the worst input"
    case .similarityDriftMean:
      "change of a pair's similarity (a cosine) or of an output (a probability, or a share of the "
        + "range of scores and numbers), mean"
    case .similarityDriftMax: "the same, of the worst pair or output"
    case .neighbourOverlap: "share of the nearest neighbours kept"
    case .calibrationError:
      "rise of the expected calibration error of a classifier, where references have true labels"
    }
  }

  /// A line of help: name, meaning and what each profile asks for.
  static var help: String {
    allCases.map { key in
      let values = Limits.Profile.allCases.compactMap { profile in
        let own = Limits(of: profile)
        return own.has(key) ? "\(profile.rawValue) \(own[key])" : nil
      }
      guard !values.isEmpty else { return "\(key.option): \(key.meaning); no profile has it." }
      return "\(key.option): \(key.meaning), \(key.isFloor ? "at least" : "at most") "
        + values.joined(separator: ", ") + "."
    }.joined(separator: "\n")
  }
}
