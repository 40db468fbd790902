import Formats
import Foundation
import Graph
import Testing
import WeightCompression
import Weights

/// Numpy counts the same as the diagnosis in a real encoder.
@Suite(.enabled(if: Oracle.hasMiniLM, "INGOT_MINILM names no model"))
struct DiagnosisInteropTests {
  private let weights: WeightCollection

  init() throws { weights = try WeightCollection.open(Oracle.miniLM ?? "") }

  private func diagnosed(_ tensor: Tensor) -> DiagnosedTensor {
    let isMatrix = tensor.shape.count == 2
    return DiagnosedTensor(
      tensor.name, tensor.shape, .weight(isMatrix ? .matrix(outputAxis: 0) : .bias),
      type: tensor.elementType.rawValue, isInteger: false)
  }

  private func expectNear(_ found: Double?, _ expected: Any?, _ what: String) {
    guard let found, let expected = expected as? Double else {
      Issue.record("\(what): \(String(describing: found)) for \(String(describing: expected))")
      return
    }
    #expect(
      (found - expected).magnitude <= 1e-7 * max(1, expected.magnitude),
      "\(what): \(found) for \(expected)")
  }

  @Test func numpyAgrees() throws {
    let answer = try Oracle.run("weight_statistics.py", [try #require(weights.files.first)])
    let lines = answer.split(separator: "\n")
    #expect(lines.count > 100)
    for line in lines {
      let parsed = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let expected = try #require(parsed)
      let tensor = try #require(weights[TensorName(expected["name"] as? String ?? "")])
      let found = diagnosed(tensor).statistics(of: try tensor.floats())
      let name = tensor.name
      expectNear(found.peak, expected["peak"], "\(name) peak")
      expectNear(found.moments.excessKurtosis, expected["kurtosis"], "\(name) kurtosis")
      expectNear(found.moments.standardDeviation, expected["deviation"], "\(name) deviation")
      #expect(found.vanishing == expected["vanishing"] as? Int, "\(name)")
      #expect(found.subnormal == expected["subnormal"] as? Int, "\(name)")
      #expect(found.large.count == expected["overflow"] as? Int, "\(name)")
      guard tensor.shape.count == 2 else { continue }
      let channels = try #require(found.channels)
      #expect(channels.worst?.index == expected["worstChannel"] as? Int, "\(name)")
      expectNear(channels.worst?.peak, expected["worstPeak"], "\(name) worst peak")
      expectNear(channels.worst?.excessKurtosis, expected["worstKurtosis"], "\(name) worst")
      #expect(channels.heavy.count == expected["heavyChannels"] as? Int, "\(name)")
    }
  }

  /// Of a sentence encoder's matrices, only those that end a feed-forward block have heavy tails.
  @Test func heavyTailsAreThoseOfTheFeedForwardOutputs() throws {
    var heavy: [String] = []
    let layers = weights.tensors.filter {
      $0.name.text.hasPrefix("encoder.") && $0.shape.count == 2
    }
    for tensor in layers {
      let diagnosed = diagnosed(tensor)
      let statistics = diagnosed.statistics(of: try tensor.floats())
      heavy += TensorDiagnosis.findings(of: diagnosed, statistics, floats: ModelFormat.floats)
        .filter { $0.id == .heavyTails }.map(\.tensor.text)
    }
    #expect(heavy == (0..<6).map { "encoder.layer.\($0).output.dense.weight" })
  }
}
