import Graph
import StrictJSON
import TestSupport
import Testing

@testable import Inputs

/// Columns of a table of features that are no features: true labels, and what is passed over.
struct NamedColumnsTests {
  private func set(
    _ text: String, _ columns: NamedColumns, origin: String = "data.csv"
  ) throws -> ReferenceSet {
    try ReferenceSet(bytes: Array(text.utf8), origin: origin, columns: columns)
  }

  private func samples(_ set: ReferenceSet) -> [ReferenceSet.Sample] {
    if case .samples(let samples) = set.content { samples } else { [] }
  }

  @Test func featuresAreTakenByNameBesideLabelsAndOtherColumns() throws {
    let text = "id,x1,class,x0,day\nu-1,1,yes,10,Monday\nu-2,2,,20,\n"
    let set = try set(text, NamedColumns(label: "class", ignored: ["id", "day"]))
    #expect(set.features == ["x1", "x0"])
    #expect(
      try set.arranged(for: .features(names: ["x0", "x1"])).inputs == [
        .values([10, 1]), .values([20, 2]),
      ])
    #expect(samples(set).map(\.label) == ["yes", nil])
    #expect(samples(set).map(\.output) == [nil, nil])
    #expect(
      set.decision == "data.csv: read as CSV: the features 'x1', 'x0' with true labels")
  }

  /// A column may be called as texts or known outputs are, and beside labels outputs are still known.
  @Test func namesOfOtherFormsAreFeaturesThen() throws {
    let texts = try set("a,b,text,y\n1,2,3,no\n", NamedColumns(label: "y"))
    #expect(texts.features == ["a", "b", "text"])
    let named = try set("x,output\n1,no\n", NamedColumns(label: "output"))
    #expect(named.features == ["x"])
    #expect(samples(named).map(\.label) == ["no"])
    let both = try set("x,output,y\n1,0.5,no\n", NamedColumns(label: "y"))
    #expect(samples(both).map(\.output) == [[0.5]])
    #expect(samples(both).map(\.label) == ["no"])
  }

  /// Lines of one input with other labels are not the same line.
  @Test func labelsTellLinesApart() throws {
    let set = try set("x,y\n1,a\n1,b\n1,a\n2,a\n", NamedColumns(label: "y"))
    let distinct = try DistinctReferences(set, slots: [], decodes: false, jobs: 1)
    #expect(samples(distinct.set).map(\.label) == ["a", "b", "a"])
    #expect(distinct.repeats == [ReferenceSet.Repeat(line: 4, first: 2)])
  }

  @Test func aNamedColumnSaysThatATextIsATable() throws {
    let text = "x\ty\n1\tyes\n"
    let tabs = try set(text, NamedColumns(label: "y"), origin: "standard input")
    #expect(tabs.features == ["x"])
    #expect(throws: JSONError.self) { try self.set(text, .none, origin: "standard input") }
  }

  @Test func aSampleInJSONHasItsLabelBesideTheInput() throws {
    let text = """
      {"input": {"values": [1]}, "label": "yes"}
      {"input": {"values": [2]}, "label": 3}
      {"input": {"values": [3]}}

      """
    let set = try ReferenceSet(bytes: Array(text.utf8), origin: "set.jsonl")
    #expect(samples(set).map(\.label) == ["yes", "3", nil])
    #expect(
      refusal {
        _ = try ReferenceSet(
          bytes: Array(#"{"input": {"values": [1]}, "label": 0.5}"#.utf8), origin: "set.jsonl")
      } == "set.jsonl:1:37: 'label' is the number 0.5, expected a text or a whole number")
  }

  struct Fault: CustomTestStringConvertible {
    let columns: NamedColumns
    let text: String
    let message: String
    var origin = "data.csv"
    var testDescription: String { message }
  }

  static let faults = [
    Fault(
      columns: NamedColumns(label: "class"), text: "x,y\n1,2\n",
      message: "data.csv:1:1: there is no column 'class' of true labels; the columns are 'x', 'y'"),
    Fault(
      columns: NamedColumns(ignored: ["id", "z"]), text: "x,id\n1,2\n",
      message: "data.csv:1:1: there is no column 'z' to be left out; the columns are 'x', 'id'"),
    Fault(
      columns: NamedColumns(label: "y", ignored: ["y"]), text: "x,y\n1,2\n",
      message:
        "data.csv:1:1: the column 'y' is named twice, the second time as one to be left out"),
    Fault(
      columns: NamedColumns(label: "y"), text: "y\n1\n",
      message: "data.csv:1:1: the only column is 'y'"),
    Fault(
      columns: NamedColumns(label: "y", ignored: ["x"]), text: "x,y\n1,2\n",
      message: "data.csv:1:1: no column is left that is a feature"),
    Fault(
      columns: NamedColumns(label: "y"), text: "x,id,z,y\n1,2,3,no\n1,1e99,3,no\n",
      message: "data.csv:3:3: 'id' is \"1e99\", expected a number that a 32-bit float holds"),
    Fault(
      columns: NamedColumns(label: "y"), text: "{\"input\": {\"values\": [1]}}\n",
      message:
        "data.jsonl:1:1: the column 'y' is named, and JSON lines have no columns; a sample in JSON "
        + "has its true label under 'label'", origin: "data.jsonl"),
  ]

  @Test(arguments: faults)
  func eachFaultNamesTheColumn(_ fault: Fault) {
    #expect(
      refusal { _ = try set(fault.text, fault.columns, origin: fault.origin) } == fault.message)
  }
}
