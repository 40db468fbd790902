/// Operators of tables.
extension TableLowering {
  mutating func lower(
    scaler x: LoweredValue, _ offset: [Float], _ scale: [Float]
  ) throws(TreeError) -> LoweredValue {
    guard x.elements.count == x.shape.last ?? 1 else { throw unknown("a 'Scaler' of several rows") }
    var result = x
    result.type = .float
    if !offset.allSatisfy({ $0 == 0 }) {
      result.elements = try pair(.subtract, result.elements, offset.map(LoweredElement.number))
    }
    if !scale.allSatisfy({ $0 == 1 }) {
      result.elements = try pair(.multiply, result.elements, scale.map(LoweredElement.number))
    }
    return result
  }

  mutating func lower(
    _ imputer: TabularImputer, _ x: LoweredValue
  ) throws(TreeError) -> LoweredValue {
    let (values, replaced): ([Float], Float)
    switch imputer {
    case .floats(let floats, let number): (values, replaced) = (floats, number)
    case .integers(let integers, let number):
      (values, replaced) = (try exact(integers.map(Int.init)), try exact([Int(number)])[0])
    }
    guard values.count == 1 || values.count == x.elements.count else {
      throw unknown("an 'Imputer' of several rows")
    }
    let new = values.map(LoweredElement.number)
    var result = x
    if replaced.isNaN {
      let isThere = try pair(.equal, x.elements, x.elements)
      result.elements = try chosen(isThere, x.elements, new)
    } else {
      let isReplaced = try pair(.equal, x.elements, [.number(replaced)])
      result.elements = try chosen(isReplaced, new, x.elements)
    }
    return result
  }

  /// The categories of a column of texts, to which those of an operator are added.
  private mutating func codes(
    of element: LoweredElement, _ texts: [String]
  ) throws(TreeError) -> [Float] {
    guard case .column(0, let feature) = element, var known = categories[feature] else {
      throw unknown("with texts that are not an input")
    }
    var places = Dictionary(zip(known, known.indices)) { first, _ in first }
    var codes: [Int] = []
    for text in texts {
      let code = places[text] ?? known.count
      if code == known.count {
        known.append(text)
        places[text] = code
      }
      codes.append(code)
    }
    categories[feature] = known
    return try exact(codes)
  }

  /// Numbers to compare an element with, for each category.
  private mutating func keys(
    of element: LoweredElement, _ labels: TreeLabels
  ) throws(TreeError) -> [Float] {
    switch labels {
    case .texts(let texts): try codes(of: element, texts)
    case .integers(let integers): try exact(integers)
    }
  }

  mutating func lower(
    oneHot x: LoweredValue, _ labels: TreeLabels
  ) throws(TreeError) -> LoweredValue {
    let isText = if case .texts = labels { true } else { false }
    guard isText == (x.type == .string) else {
      throw fault("is given \(x.type), its categories are others")
    }
    let (count, overflows) = x.elements.count.multipliedReportingOverflow(by: labels.count)
    try require(overflows ? Int.max : count)
    var numbers = x
    if [.float, .double].contains(x.type) { numbers = try lower(cast: x, to: .int64) }
    var elements: [LoweredElement] = []
    for element in numbers.elements {
      let keys = try keys(of: element, labels)
      guard Set(keys).count == keys.count else { throw unknown("a category that is there twice") }
      elements += try matches([element], keys)
    }
    return LoweredValue(
      elements: elements, shape: x.shape + [labels.count], type: .float)
  }

  /// For each key 1 where an element is it.
  private mutating func matches(
    _ x: [LoweredElement], _ keys: [Float]
  ) throws(TreeError) -> [LoweredElement] {
    let value = try operand(x)
    let array = try array("keys", [keys.count], keys, for: .matches)
    let source = try append(.matches, [value, array], width: x.count * keys.count)
    shares.insert(source)
    return columns(source)
  }

  mutating func lower(
    _ map: TabularLabelMap, _ x: LoweredValue
  ) throws(TreeError) -> LoweredValue {
    guard
      let other = numbers(try lowered(.constant(TabularColumn(map.other, [1]))).elements)?.first,
      let results = numbers(
        try lowered(.constant(TabularColumn(map.values, [map.values.count]))).elements)
    else { throw unknown("texts") }
    let type = map.values.type
    var elements: [LoweredElement] = []
    for element in x.elements {
      var keys: [Float]
      switch map.keys {
      case .texts(let texts): keys = try codes(of: element, texts)
      case .integers(let integers): keys = try exact(integers.map(Int.init))
      case .floats(let floats): keys = floats
      case .doubles, .shorts, .booleans: throw unknown("keys of the type \(map.keys.type)")
      }
      guard keys.allSatisfy(\.isFinite) else { throw unknown("a key that is not a number") }
      // Of equal keys the first counts.
      var known: Set<Float> = []
      let isFirst = keys.map { known.insert($0).inserted }
      let pairs = zip(zip(keys, results), isFirst).filter(\.1).map(\.0)
      keys = pairs.map(\.0)
      elements += try looked(up: element, keys, pairs.map(\.1), other)
    }
    return LoweredValue(elements: elements, shape: x.shape, type: type)
  }

  /// The value of the key that an element is: one of the products is not 0, so that no digit is lost.
  private mutating func looked(
    up element: LoweredElement, _ keys: [Float], _ results: [Float], _ other: Float
  ) throws(TreeError) -> [LoweredElement] {
    let matches = try matches([element], keys)
    let products = try pair(.multiply, matches, results.map(LoweredElement.number))
    let found = try reduce(.sum, products, keys.count)
    return try chosen(try reduce(.largest, matches, keys.count), found, [.number(other)])
  }
}
