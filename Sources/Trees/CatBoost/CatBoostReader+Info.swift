import StrictJSON

// What the file says about the model as a whole, and about training, of which little matters here.
extension CatBoostReader {
  mutating func readInfo() throws {
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      switch key {
      case "catboost_version_info": document.versionInfo = try scanner.string()
      case "class_params": try readClasses()
      // Of a sum of models it stands here.
      case "loss_function": document.loss = try loss()
      case "params": try readParameters()
      default: try scanner.skip()
      }
    }
  }

  private mutating func readParameters() throws {
    guard try !isNull() else { return }
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      if key == "loss_function" {
        document.loss = try loss()
      } else {
        try scanner.skip()
      }
    }
  }

  /// The name of a loss: `Quantile:alpha=0.5`, or an object with a `type`, which may be kept as a text.
  private mutating func loss() throws -> String? {
    guard case .object = try scanner.kind() else {
      let text = try scanner.string()
      guard text.hasPrefix("{") else { return String(text.prefix { $0 != ":" }) }
      return try JSONParser.parseObject(Array(text.utf8), origin: scanner.path)["type"]?.string
    }
    var name: String?
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      if key == "type" { name = try scanner.string() } else { try scanner.skip() }
    }
    return name
  }

  private mutating func readClasses() throws {
    guard try !isNull() else { return }
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      switch key {
      case "class_names": document.classes.names = try classNames()
      case "class_to_label": document.classes.numbers = try isNull() ? [] : scanner.doubles()
      default: try scanner.skip()
      }
    }
  }

  private mutating func classNames() throws -> [CatBoostDocument.Name] {
    var names: [CatBoostDocument.Name] = []
    guard try !isNull() else { return names }
    try scanner.beginArray()
    while try scanner.nextElement() {
      switch try scanner.kind() {
      case .string: names.append(.text(try scanner.string()))
      // As Python writes them.
      case .bool: names.append(.text(try scanner.bool() ? "True" : "False"))
      default: names.append(.number(try scanner.double()))
      }
    }
    return names
  }
}
