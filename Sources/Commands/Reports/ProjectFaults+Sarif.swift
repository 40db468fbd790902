import Project
import StrictJSON

extension ProjectFaults {
  /// The faults as a log of the Static Analysis Results Interchange Format, version 2.1.0 (OASIS).
  var sarif: JSONValue {
    let run: JSONValue = [
      "tool": ["driver": Self.driver], "columnKind": "unicodeCodePoints",
      "results": .array(faults.map(\.sarif)),
    ]
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [run],
    ]
  }

  private static var driver: JSONValue {
    [
      "name": "ingot", "version": .string(IngotCommand.version),
      "semanticVersion": .string(IngotCommand.version),
      "rules": .array(Rule.allCases.map(\.sarif)),
    ]
  }
}

extension Rule {
  fileprivate var sarif: JSONValue {
    [
      "id": .string(rawValue), "shortDescription": ["text": .string(summary)],
      "defaultConfiguration": ["level": .string(severity.rawValue)],
    ]
  }
}

extension Fault {
  fileprivate var sarif: JSONValue {
    let region: JSONValue = [
      "startLine": .integer(place.line), "startColumn": .integer(place.column),
    ]
    let location: JSONValue = [
      "artifactLocation": ["uri": .string(ReportPath.uri(place.file))], "region": region,
    ]
    return [
      "ruleId": .string(rule.rawValue),
      "ruleIndex": .integer(Rule.allCases.firstIndex(of: rule) ?? 0),
      "level": .string(severity.rawValue), "message": ["text": .string(sentence)],
      "locations": [["physicalLocation": location]],
    ]
  }

  /// The fault and its remedy, where only one text fits.
  var sentence: String { hint.map { "\(message) (\($0))" } ?? message }
}
