/// `scaled_dot_product_attention`: softmax(query · keyᵀ / √width + mask) · value.
package struct ScaledDotProductAttention: Operation {
  /// [batch, heads, length, width]
  package let query: Operand
  /// [batch, heads, length, width]
  package let key: Operand
  /// [batch, heads, length, width]
  package let value: Operand
  /// Added to the scores; broadcasts to [batch, heads, length, length].
  package let mask: Operand?

  package init(query: Operand, key: Operand, value: Operand, mask: Operand?) {
    self.query = query
    self.key = key
    self.value = value
    self.mask = mask
  }

  package var milName: String { "scaled_dot_product_attention" }
  package var operands: [(parameter: String, operand: Operand)] {
    [("query", query), ("key", key), ("value", value)] + (mask.map { [("attn_mask", $0)] } ?? [])
  }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    for (type, parameter) in zip(inputs, ["query", "key", "value", "attn_mask"]) {
      try requireFloats(type, parameter)
    }
    let query = inputs[0].shape, key = inputs[1].shape, value = inputs[2].shape
    guard query.count == 4, key.count == 4, query[3] == key[3], key == value,
      query[..<2] == key[..<2]
    else { throw ShapeFault("'query' is \(query), 'key' is \(key), 'value' is \(value)") }
    guard inputs.count == 4 else { return inputs[0] }
    let scores = [query[0], query[1], query[2], key[2]]
    guard try broadcast(inputs[3].shape, scores) == scores else {
      throw ShapeFault("'attn_mask' is \(inputs[3].shape), scores are \(scores)")
    }
    return inputs[0]
  }
}
