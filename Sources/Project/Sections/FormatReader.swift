import Formats
import Packaging

/// Reads the format of a model: `formats`, `coreml` and `description` of an entry.
struct FormatReader {
  let section: ContractSection

  /// The format; nil when there is a fault, which is noted.
  func read() -> FormatOptions? {
    let before = section.log.faults.errorCount
    let format = self.format() ?? .usual
    let summary = section.optionalString("description")?.value
    let group = section.node(CoreMLOptions.section).flatMap {
      ContractSection($0, name: "'\(CoreMLOptions.section)'", log: section.log)
    }
    guard section.log.faults.errorCount == before else { return nil }
    if let group, format.type.section != CoreMLOptions.section, !format.type.holdsTablesAlone {
      refuse(group, of: format)
    }
    let keys = format.type.holdsTablesAlone ? ["updatable"] : Self.choices
    let options = group.map { coreML($0, keys) } ?? CoreMLOptions()
    guard section.log.faults.errorCount == before else { return nil }
    return FormatOptions(
      format: format, coreML: options, sequencePlace: group?.node("sequenceLength")?.place,
      summary: summary)
  }

  /// Notes that a format knows of no choices in this section.
  private func refuse(_ group: ContractSection, of format: ModelFormat) {
    let name = CoreMLOptions.section
    let suiting = ModelFormat.withSection(name).map(\.name).joined(separator: " or ")
    section.fault(
      .badFormat, group.place,
      "'\(name)' is for the format \(suiting), this model has \(format)",
      hint: "add 'formats: [\(suiting)]', or remove '\(name)'")
  }

  private static let formats = ModelFormat.allCases.map { "'\($0.name)'" }

  private func format() -> ModelFormat? {
    guard let node = section.node("formats") else { return nil }
    guard case .sequence(let formats) = node.content, !formats.isEmpty else {
      section.fault(
        .badFormat, node.place, "'formats' is \(node.kind), expected a list: [\(ModelFormat.usual)]"
      )
      return nil
    }
    let known = formats.map { $0.string.flatMap(ModelFormat.init) }
    for (node, format) in zip(formats, known) where format == nil {
      section.fault(
        .badFormat, node.place, "\(node.kind) is not a format",
        hint: "use \(Self.formats.joined(separator: " or "))")
    }
    guard let first = known[0], known.allSatisfy({ $0 != nil }) else { return nil }
    if known.count > 1, known.allSatisfy({ $0 == first }) {
      section.fault(.badFormat, formats[1].place, "the format appears twice")
    } else if known.count > 1 {
      section.fault(
        .badFormat, formats[1].place, "a model has one format, here are \(known.count)",
        hint: "choose one of \(Self.formats.joined(separator: " and "))")
    }
    return first
  }

  /// What a package has a choice of.
  private static let choices = [
    "minimumDeploymentTarget", "sequenceLength", "outputType", "floatType", "updatable",
  ]

  private func coreML(_ group: ContractSection, _ keys: [String]) -> CoreMLOptions {
    group.allowOnly(keys)
    return CoreMLOptions(
      target: choice("minimumDeploymentTarget", of: group, among: DeploymentTarget.allCases),
      sequenceLengths: sequenceRange(group).map { [$0.lowerBound, $0.upperBound] }
        ?? sequenceLengths(group),
      isRange: sequenceRange(group) != nil,
      outputType: choice("outputType", of: group, among: CoreMLOptions.OutputType.allCases)
        ?? CoreMLOptions().outputType,
      floats: choice("floatType", of: group, among: CoreMLOptions.OutputType.allCases)?.floats
        ?? CoreMLOptions().floats,
      isUpdatable: group.optionalBool("updatable")?.value ?? false)
  }

  private func choice<Choice: RawRepresentable<String>>(
    _ key: String, of group: ContractSection, among choices: [Choice]
  ) -> Choice? {
    guard let word = group.optionalString(key) else { return nil }
    if let choice = Choice(rawValue: word.value) { return choice }
    let known = choices.map(\.rawValue)
    group.fault(
      .badFormat, word.place,
      "'\(key)' is '\(word.value.prefix(60).asciiEscaped)', expected "
        + known.dropLast().joined(separator: ", ") + " or " + (known.last ?? ""))
    return nil
  }

  /// Any length from one to another: `1...128`.
  private func sequenceRange(_ group: ContractSection) -> ClosedRange<Int>? {
    group.node("sequenceLength")?.string.flatMap(LengthRange.init)?.bounds
  }

  /// One length, or several in a list.
  private func sequenceLengths(_ group: ContractSection) -> [Int] {
    guard let node = group.node("sequenceLength") else { return [] }
    let nodes = if case .sequence(let nodes) = node.content { nodes } else { [node] }
    if nodes.isEmpty { group.fault(.badFormat, node.place, "'sequenceLength' is an empty list") }
    var lengths: [Int] = []
    for node in nodes {
      guard let length = node.integer, length >= 1 else {
        group.fault(
          .badFormat, node.place,
          "'sequenceLength' is \(node.kind), expected a whole number from 1 on, "
            + "or a list of them")
        return []
      }
      if let last = lengths.last, length <= last {
        group.fault(
          .badFormat, node.place, "'sequenceLength' has \(length) after \(last)",
          hint: "list each length once, the shortest first")
      }
      lengths.append(length)
    }
    return lengths
  }
}
