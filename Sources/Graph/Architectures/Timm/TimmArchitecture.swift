import Weights

/// A convolutional network of timm: pooled features, or the scores of its classes.
protocol TimmArchitecture: RecognisedArchitecture {
  /// Columns and rows of the image.
  var size: (width: Int, height: Int) { get }
  /// Numbers of a vector, where no classes are told apart.
  var width: Int { get }
  /// Nil where a vector comes out.
  var classifier: TimmClassifier? { get }
}

extension TimmArchitecture {
  package var describingFiles: [String] { [TimmConfig.name] }
  package var input: ModelInput { .image(width: size.width, height: size.height) }
  package var outputName: String { classifier == nil ? "embedding" : "scores" }

  package var output: ModelOutput {
    guard let classifier else { return .embedding(width: width) }
    return .classes(labels: classifier.labels, width: classifier.count, scale: .scores)
  }

  package func role(ofUnused name: TensorName) -> String? {
    name.text.hasSuffix(".num_batches_tracked") ? "counts batches of training" : nil
  }
}
