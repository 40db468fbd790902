import StrictJSON

extension ActionResult {
  /// The first fault of the parts of a result, or nil.
  static func fault(of outputs: [Output], exitCode: Int) -> String? {
    guard exitCodes.contains(exitCode) else {
      return "has exit code \(exitCode), expected one in \(exitCodes)"
    }
    guard outputs.count <= outputLimit else {
      return "has \(outputs.count) outputs, the limit is \(outputLimit)"
    }
    var paths: Set<ExactString> = []
    for output in outputs {
      if let fault = fault(ofPath: output.path) {
        return "output \(quoted(output.path)) \(fault)"
      }
      guard paths.insert(ExactString(output.path)).inserted else {
        return "has two outputs \(quoted(output.path))"
      }
      guard output.byteCount >= 0 else {
        return "output \(quoted(output.path)) has \(output.byteCount) bytes"
      }
    }
    return nil
  }

  private static func fault(ofPath path: String) -> String? {
    let bytes = path.utf8
    guard bytes.count <= pathLimit else {
      return "has a path of \(bytes.count) bytes, the limit is \(pathLimit)"
    }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      return "has a control character in its path"
    }
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
    }
    return isPlain ? nil : "has a path with an empty part, '.' or '..'"
  }
}
