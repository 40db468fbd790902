import Graph
import ModelFixtures
import TestSupport
import Testing

@testable import Formats

/// Classifiers of tokens: their labels are in the package.
extension MLPackageRoundTripTests {
  private static let companions = ModelFiles(
    carriedBy: "none", texts: SmallTokenClassifier.companions())

  @Test func tokenClassifier() throws {
    try SmallTokenClassifier.model().write(to: path)
    let opened = try CoreMLPackage.open(path, origin: path, files: Self.companions)
    let read = opened.model
    #expect(read.architecture.input == .tokens(maximumLength: 12, vocabulary: 20))
    #expect(
      read.architecture.output == .tokenClasses(labels: SmallTokenClassifier.labels, tokens: 12))
    let description = opened.message.description_p
    #expect(description.metadata.userDefined[CoreMLPackage.labelsKey] == #"["O","NAME"]"#)
    #expect(description.output.map(\.name) == ["token_probabilities"])
    #expect(description.output[0].type.multiArrayType.shape == [1, 12, 2])
    #expect(
      description.output[0].shortDescription
        == "The probability of each label for each token, zeros for padding: O, NAME")
    #expect(description.predictedFeatureName.isEmpty)
    let graph = try read.architecture.graph(batch: 1, length: 12)
    #expect(graph.outputType == ValueType(.float32, [1, 12, 2]))
  }

  @Test func labelsThatDoNotFitTheOutputAreRefused() throws {
    try SmallTokenClassifier.model().write(to: path)
    var parts = try MLPackageParts(of: path, files: Self.companions)
    parts.message.description_p.metadata.userDefined[CoreMLPackage.labelsKey] = #"["O"]"#
    try parts.write(to: folder.path("Y.mlpackage"))
    let text = message {
      _ = try CoreMLPackage.open(
        folder.path("Y.mlpackage"), origin: "Y", files: Self.companions)
    }
    #expect(
      text
        == "Y: the program cannot be run: output 'token_probabilities': has 2 numbers for each token, "
        + "'dev.ingot.labels' holds 1 text")
  }
}
