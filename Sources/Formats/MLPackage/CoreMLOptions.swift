package import WeightCompression

/// A user's choices about a Core ML package.
package struct CoreMLOptions: Hashable, Sendable {
  /// Element type of an embedding that is put out.
  package enum OutputType: String, CaseIterable, Hashable, Sendable {
    case float16, float32

    /// The same as a width.
    package var floats: FloatType { self == .float16 ? .float16 : .float32 }
  }

  /// The section of a project file with these choices.
  package static let section = "coreml"

  /// The oldest system that is to load the package; the lowest that fits when nil.
  package let target: DeploymentTarget?
  /// Tokens of an input: one length, or several to choose from for each input; ascending. The
  /// model's own maximum when empty.
  package let sequenceLengths: [Int]
  /// Whether an input may have any length from the first of them to the last.
  package let isRange: Bool
  package let outputType: OutputType
  /// Precision in which the program computes and stores floats. Half is fastest on devices; floats
  /// keep numbers that half rounds too coarsely, and double the size of uncompressed weights.
  package let floats: FloatType
  /// Whether devices are to train a linear model of tables further.
  package let isUpdatable: Bool

  package init(
    target: DeploymentTarget? = nil, sequenceLengths: [Int] = [],
    isRange: Bool = false, outputType: OutputType = .float32, floats: FloatType = .float16,
    isUpdatable: Bool = false
  ) {
    self.target = target
    self.sequenceLengths = sequenceLengths
    self.isRange = isRange
    self.outputType = outputType
    self.floats = floats
    self.isUpdatable = isUpdatable
  }
}

extension CoreMLOptions {
  /// Each choice by the name it has in a project file; what was left open is not there.
  var words: [String: String] {
    var words = ["outputType": outputType.rawValue]
    if isUpdatable { words["updatable"] = "true" }
    words["minimumDeploymentTarget"] = target?.rawValue
    if !sequenceLengths.isEmpty {
      words["sequenceLength"] = sequenceLengths.map(String.init)
        .joined(separator: isRange ? "..." : ",")
    }
    return words
  }
}

/// A package's description of itself in words.
package struct CoreMLDescription: Hashable, Sendable {
  package let summary: String?
  package let author: String?
  package let license: String?
  package let version: String?
  /// More that a package says, by keys of its user-defined metadata.
  package let notes: [String: String]

  package init(
    summary: String? = nil, author: String? = nil, license: String? = nil, version: String? = nil,
    notes: [String: String] = [:]
  ) {
    self.notes = notes
    self.summary = summary
    self.author = author
    self.license = license
    self.version = version
  }
}

extension CoreMLDescription {
  /// The description without notes, by the names of a project file.
  package var words: [String: String] {
    ["description": summary, "author": author, "license": license, "version": version]
      .compactMapValues(\.self)
  }
}

/// The oldest system a package is made for: its specification version and its opset.
package enum DeploymentTarget: String, CaseIterable, Comparable, Hashable, Sendable {
  case iOS16, iOS17, iOS18

  /// `Model.specificationVersion`.
  package var specificationVersion: Int {
    switch self {
    case .iOS16: 7
    case .iOS17: 8
    case .iOS18: 9
    }
  }

  /// Name of the MIL opset.
  package var opset: String {
    switch self {
    case .iOS16: "CoreML6"
    case .iOS17: "CoreML7"
    case .iOS18: "CoreML8"
    }
  }

  package static func < (left: DeploymentTarget, right: DeploymentTarget) -> Bool {
    left.specificationVersion < right.specificationVersion
  }
}

/// A range of lengths in words: `1...128`.
package struct LengthRange: Sendable {
  package let bounds: ClosedRange<Int>

  /// - Returns: nil for anything but two numbers from 1 on, the second above the first.
  package init?(_ text: String) {
    let parts = text.split(separator: "...", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let lower = parts[0], let upper = parts[1], lower >= 1, lower < upper
    else { return nil }
    bounds = lower...upper
  }
}
