import Calibration
import Formats
import Gate
import Inputs
import Graph
import Proving
import TestSupport

@testable import Search

extension Limits {
  /// Limits that every model keeps.
  static func anything() throws -> Limits {
    try Limits(
      profile: .lenient,
      overrides: [
        "cosineMean": 0, "cosineMin": -1, "similarityDriftMean": 2, "similarityDriftMax": 2,
        "neighbourOverlap": 0,
      ])
  }
}

/// A search for a network of three matrices in a folder of its own.
struct SmallSearch {
  let folder: TemporaryFolder
  let request: Search.Request
  let prover = Prover(jobs: 2)

  /// - Parameters:
  ///   - seed: of the weights and of the references.
  ///   - isFitted: whether weights are fitted to inputs.
  ///   - verdict: limits of the verdict's share; those of the search's where nil.
  init(
    _ limits: Limits, seed: UInt64, isFitted: Bool, budget: Int? = nil, verdict: Limits? = nil
  ) throws {
    folder = try TemporaryFolder(in: TemporaryFolder.memory)
    let sizes = [24, 96, 64, 48]
    var numbers = SeededGenerator(seed: seed)
    var layers: [String] = []
    for (place, scale) in [Float(0.4), 0.2, 0.25].enumerated() {
      let count = sizes[place] * sizes[place + 1]
      let values = (0..<count).map { _ in scale * numbers.float() }
      try folder.write(
        "model/w\(place).npy",
        NpyBytes.array(
          "<f4", "(\(sizes[place + 1]), \(sizes[place]))", data: floatBytes(values)))
      let activation = place < 2 ? #", "activation": "tanh""# : ""
      layers.append(#"{"weight": "w\#(place).npy"\#(activation)}"#)
    }
    let features = (0..<24).map { #"{"name": "f\#($0)"}"# }.joined(separator: ", ")
    try folder.write(
      "model/model.json",
      """
      {"architecture": "dense", "inputs": [\(features)], "layers": [\(layers.joined(separator: ","))],
       "output": {"name": "vector", "kind": "embedding"}}
      """)
    func input() -> String { "{\"values\": \((0..<24).map { _ in numbers.float() })}" }
    let pairs = (0..<240).map { _ in "{\"a\": \(input()), \"b\": \(input())}\n" }.joined()
    let inputs = (0..<300).map { _ in input() + "\n" }.joined()
    let model = try ModelLoader.open(folder.path("model"))
    let shares = try ReferenceShares(
      cutting: try ReferenceSet(bytes: Array(pairs.utf8), origin: folder.path("pairs.jsonl")),
      seenBy: [model], jobs: 2)
    let calibration = try CalibrationSet(
      bytes: Array(inputs.utf8), origin: folder.path("inputs.jsonl"))
    request = Search.Request(
      [
        Search.Part(
          model, as: ModelFormat.usual.with(FormatChoices()), at: folder.path("found"),
          calibration: isFitted ? calibration : nil, shares: shares)
      ], of: [model], on: shares, limits: limits, budget: budget
    ) {
      let isVerdict = $0.cut?.share == .verdict
      return Gate(on: $0, isVerdict ? verdict ?? limits : limits, threshold: nil, jobs: 2)
    }
  }

  /// A search that has predicted its losses.
  func search() throws -> Search { try Search(request, jobs: 2, prover: prover) { _ in } }

  /// Whether the search's share lets an allocation pass.
  func passes(_ places: [Int], of search: inout Search) throws -> Bool {
    let choices = search.parts[0].choices.groups.map(\.choices)
    let candidate = try search.make([Frontier.Allocation(places: places, of: choices)])
    var gate = request.search
    // Hundreds are refused; what makes their drift is of no interest.
    gate.attribution = .none
    return try prover.trial(candidate.compressed, against: request.trained, by: gate).isPassed
  }
}
