import Project

extension ProjectFaults {
  /// The faults as workflow commands of GitHub Actions, one a line, which turn into annotations.
  var annotations: String {
    faults.map { "\($0.annotation.printable(keepsLines: false))\n" }.joined()
  }
}

extension Fault {
  fileprivate var annotation: String {
    let file = ReportPath.relative(place.file).escaped(for: ["%", "\r", "\n", ":", ","])
    return "::\(severity.rawValue) file=\(file),line=\(place.line),col=\(place.column),"
      + "title=\(rule.rawValue)::\(sentence.escaped(for: ["%", "\r", "\n"]))"
  }
}

extension String {
  /// The text with ASCII characters that mean something to the reader as `%` and two digits.
  fileprivate func escaped(for special: Set<Unicode.Scalar>) -> String {
    var text = ""
    for scalar in unicodeScalars {
      if special.contains(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
