import Emission
import Evaluation
import Packaging
import WeightCompression

/// Reads how one model, or every custom model, is made.
struct RecipeReader {
  let section: ContractSection
  /// Whether paths may hold `{flowName}` and its like.
  let allowsPlaceholders: Bool

  /// What is sound of the recipe; every fault is noted.
  func read() -> RecipeDraft {
    section.allowOnly(["source", "compress", "gate", "formats", "coreml", "description"])
    let source = path("source", of: section, mend: "add 'source', the model's folder or file")
    let compress = section.section(
      "compress", mend: "say how to compress: 'compress: {scheme: int8}'"
    )
    let format = FormatReader(section: section).read() ?? .standIn
    let compression =
      compress.flatMap { self.compression($0, format.format) } ?? .standIn
    let gate = section.section(
      "gate", mend: "name the reference set: 'gate: {references: pairs.jsonl}'")
    let (references, terms) = gate.map(self.gate) ?? (nil, nil)
    let recipe = source.flatMap { source in
      terms.map {
        ModelRecipe(source: source, compression: compression, gate: $0, format: format)
      }
    }
    return RecipeDraft(source: source, references: references, recipe: recipe)
  }

  private func path(
    _ key: String, of section: ContractSection, mend: String
  ) -> Located<PathPattern>? {
    guard let text = section.path(key, mend: mend) else { return nil }
    guard allowsPlaceholders else {
      if text.value.contains(where: { $0 == "{" || $0 == "}" }) {
        section.fault(
          .badPath, text.place, "'\(key)' holds a placeholder",
          hint: "placeholders are for 'customModels'; a shared model has one source")
        return nil
      }
      return Located(value: PathPattern(literal: text.value), place: text.place)
    }
    switch PathPattern.parse(text.value) {
    case .success(let pattern): return Located(value: pattern, place: text.place)
    case .failure(let fault):
      section.fault(.badPath, text.place, "'\(key)': \(fault.message)", hint: fault.hint)
      return nil
    }
  }

  private func compression(
    _ section: ContractSection, _ format: ModelFormat
  ) -> CompressionOptions? {
    section.allowOnly(["scheme", "bits", "granularity", "groupSize"])
    let before = section.log.faults.errorCount
    let scheme = section.string("scheme", mend: "choose 'int8' or 'palettize'")
    let bits = section.optionalInteger("bits")
    let granularity = section.optionalString("granularity")
    let groupSize = section.optionalInteger("groupSize")
    guard let scheme, section.log.faults.errorCount == before else { return nil }
    do throws(CompressionError) {
      return try CompressionOptions(
        scheme: scheme.value, bits: bits, granularity: granularity?.value, groupSize: groupSize,
        floats: format.floats)
    } catch {
      section.fault(.badCompression, scheme.place, error.description)
      return nil
    }
  }

  private func gate(
    _ section: ContractSection
  ) -> (references: Located<PathPattern>?, terms: GateTerms?) {
    section.allowOnly(["references", "limits", "threshold"])
    let references = path(
      "references", of: section, mend: "name the reference set: 'references: pairs.jsonl'")
    let limits = LimitsReader(section: section).read() ?? .standIn
    let threshold = self.threshold(section)
    return (
      references,
      references.map { GateTerms(references: $0, limits: limits, threshold: threshold) }
    )
  }

  private func threshold(_ section: ContractSection) -> Located<Double>? {
    guard let node = section.node("threshold"),
      let threshold = section.optionalDouble("threshold")
    else { return nil }
    guard (-1...1).contains(threshold) else {
      section.fault(.badValue, node.place, "'threshold' is \(node.kind), expected -1 to 1")
      return nil
    }
    return Located(value: threshold, place: node.place)
  }
}

// What takes the place of a faulty part of a recipe, for looking at all else.

extension FormatTerms {
  fileprivate static var standIn: FormatTerms {
    FormatTerms(
      format: .safetensors, coreML: CoreMLOptions(), sequencePlace: nil, summary: nil)
  }
}

extension CompressionOptions {
  fileprivate static var standIn: CompressionOptions {
    guard let none = try? CompressionOptions(scheme: Scheme?.none) else {
      preconditionFailure("weights can always be kept")
    }
    return none
  }
}

extension LimitTerms {
  fileprivate static var standIn: LimitTerms {
    LimitTerms(profile: Limits.Profile.standard.rawValue, overrides: [:])
  }
}

extension ModelFormat {
  /// Type of the floats that the format stores.
  var floats: FloatWidth {
    switch self {
    case .safetensors: .float32
    case .mlpackage: .float16
    }
  }
}
