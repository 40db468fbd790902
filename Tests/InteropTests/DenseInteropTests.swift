import Formats
import Foundation
import Inputs
import TestSupport
import Testing

/// Every flow of the quickstart against a numpy evaluation that shares no code with ours.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct DenseInteropTests {
  static let flows = [
    "onboarding_upsell/v73", "onboarding_upsell/v81", "notification_timing/v12",
    "session_length/v5", "habit_suggestion/v21", "churn_risk/v9",
  ]

  @Test(arguments: flows)
  func outputsEqualNumpy(_ flow: String) throws {
    let folder = try TemporaryFolder()
    let flows = "\(Oracle.repository)/specs/examples/quickstart/flows"
    let name = flow.split(separator: "/")[0]
    let references = try ReferenceSet(path: "\(flows)/\(name)/references.jsonl")
    let lines = references.inputs.map { input -> String in
      guard case .values(let values) = input else { return "{}" }
      return "{\"values\": \(values)}"
    }
    let file = folder.path("inputs.jsonl")
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file))
    _ = try Oracle.run(
      "dense_numpy.py", ["\(flows)/\(flow)", file, folder.path("numpy.npy")])
    let theirs = try OutputMatrix(npy: folder.path("numpy.npy"))
    let ours = try ModelRunner(model: try ModelLoader.open("\(flows)/\(flow)"), jobs: 1)
      .outputs(for: references.inputs)
    #expect(ours.rowCount >= 64)
    #expect(ours.rowCount == theirs.rowCount && ours.width == theirs.width)
    for (left, right) in zip(ours.values, theirs.values) {
      #expect((left - right).magnitude <= 1e-5 * max(1, right.magnitude))
    }
  }
}
