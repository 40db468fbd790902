"""The table of small text encoders: who writes each, with what, what is changed in its files afterwards, and what must come of it.

A case: `name`; `writer`, an environment of scripts/oracles/sentence-transformers; what write_model of text_model_parts.py takes (`encoder`,
`transformer`, `pooling`, `modules`, `model`); `edits` as in text_model_parts.edit; `tensors`, arguments of rename_tensors; `expect`:
`embeds`, `refused` with the `key` that the message must name, or `either`: the right vectors, or a refusal that names the key.
"""
OUT = "\0"  # takes a key out
CST, SBC, POOL, TOK, TJ = (
    "config_sentence_transformers.json", "sentence_bert_config.json", "1_Pooling/config.json", "tokenizer_config.json", "tokenizer.json")
MODES = ["cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]
PROMPT = {"prompts": {"query": "the query: ", "passage": "passage: "}, "default_prompt_name": "query"}
LEFT = {"direction": "Left", "max_length": 12, "strategy": "LongestFirst", "stride": 0}
PAD_LEFT = {"strategy": "BatchLongest", "direction": "Left", "pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"}
UNCASED = {"cased": False}
NORM = [["Normalize", {}]]


def lower(**tokenizer) -> dict:
    """A cased vocabulary with tokenizer arguments."""
    return {"tokenizer": tokenizer}


def case(name: str, writer: str = "st6.2", expect: str = "embeds", key: str | None = None, **parts) -> dict:
    """One row of the table."""
    return {"name": name, "writer": writer, "expect": expect, **({"key": key} if key else {}), **parts}


def plain() -> list[dict]:
    """What every version saves when nothing is set."""
    return [
        case("st2.2-mean", "st2.2", encoder=UNCASED, modules=NORM),
        case("st2.7-mean", "st2.7", encoder=UNCASED, modules=NORM),
        case("st3.4-mean", "st3.4", encoder=UNCASED, modules=NORM),
        case("st5.3-mean", "st5.3", encoder=UNCASED, modules=NORM),
        case("st6.2-mean", "st6.2", encoder=UNCASED, modules=NORM),
        case("st6.2-tf5-mean", "st6.2-tf5", encoder=UNCASED, modules=NORM),
        case("st2.2-cased-max", "st2.2", pooling={"pooling_mode": "max"}),
        case("st2.7-cased-cls", "st2.7", pooling={"pooling_mode": "cls"}),
        case("st3.4-cased-length", "st3.4", transformer={"max_seq_length": 20}),
        case("st6.2-saved-after-use", "st6.2", encode_first=True, transformer={"max_seq_length": 24}),
        case("st6.2-tf5-saved-after-use", "st6.2-tf5", encode_first=True, transformer={"max_seq_length": 24}),
        case("transformers-alone", "st6.2", "refused", "modules.json", bare=True),
        case("transformers5-alone", "st6.2-tf5", "refused", "modules.json", bare=True),
    ]


def poolings() -> list[dict]:
    """Every mode, old form and new, and joined ones."""
    rows = [case(f"st6.2-pooling-{mode}", pooling={"pooling_mode": mode}) for mode in MODES]
    rows += [case(f"st3.4-pooling-{mode}", "st3.4", pooling={"pooling_mode": mode}) for mode in MODES[3:]]
    joined = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": True}
    return rows + [
        case("st2.2-pooling-joined", "st2.2", pooling=joined),
        case("st5.3-pooling-all", "st5.3", pooling={f"pooling_mode_{m}": True for m in [
            "cls_token", "max_tokens", "mean_tokens", "mean_sqrt_len_tokens", "weightedmean_tokens", "lasttoken"]}),
        case("st6.2-pooling-list", pooling={"pooling_mode": ["mean", "cls"]}),
        case("st6.2-pooling-list-reversed", "st6.2-tf5", pooling={"pooling_mode": ["lasttoken", "weightedmean", "max"]}),
        case("st6.2-pooling-list-of-one", edits={POOL: {"pooling_mode": ["max"]}}),
        case("pooling-both-forms", edits={POOL: {"pooling_mode": "max", "pooling_mode_cls_token": True}}, expect="either", key="pooling_mode"),
        case("pooling-none-true", "st5.3", "either", "pooling_mode", edits={POOL: {"pooling_mode_mean_tokens": False}}),
        case("pooling-old-without-mean", "st2.7", "either", "pooling_mode_mean_tokens", pooling={"pooling_mode": "cls"},
             edits={POOL: {"pooling_mode_mean_tokens": OUT}}),
        case("pooling-unknown-key", "st6.2", "refused", "pooling_scale", edits={POOL: {"pooling_scale": 2}}),
        case("pooling-unknown-mode", "st6.2", "refused", "pooling_mode", edits={POOL: {"pooling_mode": "attention"}}),
        case("pooling-no-file", "st6.2", "refused", "1_Pooling/config.json", edits={POOL: None}),
        case("pooling-other-width", "st6.2", "either", "embedding_dimension", edits={POOL: {"embedding_dimension": 8}}),
        case("pooling-left-out", "st6.2", "refused", "modules.json", edits={"modules.json": {"1": OUT}}),
    ]


def prompts() -> list[dict]:
    """Default prompts with and without their ids in the pooling."""
    without = {"include_prompt": False}
    rows = [case(f"prompt-left-out-{mode}", "st6.2", model=PROMPT, pooling={"pooling_mode": mode, **without}) for mode in MODES]
    return rows + [
        case("prompt-st2.7", "st2.7", model=PROMPT),
        case("prompt-st6.2", "st6.2", model=PROMPT, modules=NORM),
        case("prompt-st5.3-left-out", "st5.3", model=PROMPT, pooling={"pooling_mode": "mean", **without}),
        case("prompt-joins-word", "st6.2-tf5", model={"prompts": {"q": "un"}, "default_prompt_name": "q"}, pooling={"pooling_mode": "mean", **without}),
        case("prompt-ends-in-token", model={"prompts": {"q": "the [MASK]"}, "default_prompt_name": "q"}, pooling={"pooling_mode": "mean", **without}),
        case("prompt-longer-than-text", model={"prompts": {"q": "the query " * 40}, "default_prompt_name": "q"}, pooling={"pooling_mode": "mean", **without}),
        case("prompt-cut-at-left", encoder=lower(truncation_side="left", model_max_length=12), model=PROMPT, pooling={"pooling_mode": "mean", **without}),
        case("prompt-blank", model={"prompts": {"q": "   "}, "default_prompt_name": "q"}, pooling={"pooling_mode": "mean", **without}),
        case("prompt-empty", model={"prompts": {"q": ""}, "default_prompt_name": "q"}, pooling={"pooling_mode": "mean", **without}),
        case("prompt-none-chosen", "st3.4", model={"prompts": PROMPT["prompts"]}),
        case("prompt-unknown-name", "st6.2", "refused", "default_prompt_name", edits={CST: {"default_prompt_name": "title"}}),
        case("prompt-query-not-listed", "st6.2", edits={CST: {"default_prompt_name": "query", "prompts": {}}}, expect="either", key="default_prompt_name"),
        case("prompt-lower-cased", model={"prompts": {"q": "The QUERY "}, "default_prompt_name": "q"}, edits={SBC: {"do_lower_case": True}}),
    ]


def lengths() -> list[dict]:
    """Which length counts, and which end is cut."""
    return [
        case("length-tokenizer-only", encoder=lower(model_max_length=12)),
        case("length-tokenizer-only-tf5", "st6.2-tf5", encoder=lower(model_max_length=12)),
        case("length-settings-over-tokenizer", "st5.3", edits={SBC: {"max_seq_length": 30}, TOK: {"model_max_length": 12}}),
        case("length-settings-below-tokenizer", "st5.3", edits={SBC: {"max_seq_length": 9}, TOK: {"model_max_length": 12}}),
        case("length-settings-null", "st5.3", edits={SBC: {"max_seq_length": None}, TOK: {"model_max_length": 12}}),
        case("length-old-name", "st2.7", edits={SBC: {"max_seq_length": OUT}, TOK: {"model_max_length": OUT, "max_len": 14}}),
        case("length-tokenizer-json-ignored", edits={TJ: {"truncation": {**LEFT, "direction": "Right", "max_length": 8}}}),
        case("length-nowhere", "st5.3", edits={SBC: {"max_seq_length": OUT}, TOK: {"model_max_length": OUT}}),
        case("length-shortest", "st6.2", edits={SBC: {"max_seq_length": 3}}),
        case("length-one", "st6.2", "refused", "max_seq_length", edits={SBC: {"max_seq_length": 1}}),
        case("length-above-positions", "st6.2", "refused", "max_seq_length", edits={SBC: {"max_seq_length": 100}}),
        case("length-in-arguments", "st6.2", "either", "tokenizer_args", edits={SBC: {"tokenizer_args": {"model_max_length": 10}, "max_seq_length": 20}}),
        case("cut-left", encoder=lower(truncation_side="left", model_max_length=12)),
        case("cut-left-tf5", "st6.2-tf5", encoder=lower(truncation_side="left", model_max_length=12)),
        case("cut-left-by-tokenizer-json", edits={TJ: {"truncation": LEFT}, SBC: {"max_seq_length": 16}}),
        case("cut-right-over-tokenizer-json", edits={TJ: {"truncation": LEFT}, TOK: {"truncation_side": "right"}, SBC: {"max_seq_length": 16}}),
        case("padding-left", encoder=lower(padding_side="left"), pooling={"pooling_mode": "lasttoken"}),
        case("padding-left-mean-st3.4", "st3.4", encoder=lower(padding_side="left")),
        case("padding-left-by-tokenizer-json", edits={TJ: {"padding": PAD_LEFT}}, pooling={"pooling_mode": "cls"}),
    ]


def letters() -> list[dict]:
    """Lower case, accents and Chinese characters, in every file."""
    return [
        case("lower-in-tokenizer-config", edits={TOK: {"do_lower_case": True}}),
        case("lower-in-tokenizer-config-tf5", "st6.2-tf5", edits={TOK: {"do_lower_case": True}}),
        case("lower-absent", edits={TOK: {"do_lower_case": OUT}}),
        case("lower-no-tokenizer-config", "st5.3", edits={TOK: None}),
        case("upper-over-lower-json", encoder=UNCASED, edits={TOK: {"do_lower_case": False}}),
        case("accents-stripped", edits={TOK: {"strip_accents": True}}),
        case("accents-kept-in-lower", encoder=lower(do_lower_case=True, strip_accents=False)),
        case("accents-only-in-tokenizer-json", edits={TJ: {"normalizer.strip_accents": True}}),
        case("chinese-whole", encoder=lower(tokenize_chinese_chars=False)),
        case("chinese-only-in-tokenizer-json", edits={TJ: {"normalizer.handle_chinese_chars": False}}),
        case("lower-in-settings", edits={SBC: {"do_lower_case": True}}),
        case("lower-in-settings-st2.7", "st2.7", transformer={"do_lower_case": True}),
        case("lower-in-settings-uncased", "st3.4", encoder=UNCASED, transformer={"do_lower_case": True}),
        case("lower-in-settings-strip", "st5.3", encoder=lower(strip_accents=True), transformer={"do_lower_case": True}),
        case("class-plain-fast", edits={TOK: {"tokenizer_class": "PreTrainedTokenizerFast", "do_lower_case": True}}),
        case("class-distilbert", edits={TOK: {"tokenizer_class": "DistilBertTokenizer", "do_lower_case": True}}, expect="either", key="tokenizer_class"),
        case("class-absent", edits={TOK: {"tokenizer_class": OUT, "do_lower_case": True}}),
        case("class-of-config", edits={TOK: {"tokenizer_class": OUT, "do_lower_case": True}, "config.json": {"tokenizer_class": "PreTrainedTokenizerFast"}},
             expect="either", key="tokenizer_class"),
        case("class-roberta", "st6.2", "refused", "tokenizer_class", edits={TOK: {"tokenizer_class": "RobertaTokenizer"}}),
        case("class-own-code", "st6.2", "refused", "auto_map", edits={TOK: {"auto_map": {"AutoTokenizer": ["code.Tokenizer", None]}}}),
        case("normaliser-sequence", expect="either", key="normalizer",
             edits={TOK: {"do_lower_case": True}, TJ: {"normalizer": {"type": "Sequence", "normalizers": [
                 {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": False}]}}}),
        case("controls-kept", expect="either", key="clean_text", edits={TJ: {"normalizer.clean_text": False}}),
        case("short-words", expect="either", key="max_input_chars_per_word", edits={TJ: {"model.max_input_chars_per_word": 6}}),
    ]


def tokens() -> list[dict]:
    """Special and added tokens."""
    def added(content: str, **flags) -> dict:
        return {"content": content, "lstrip": False, "normalized": False, "rstrip": False, "single_word": False, "special": True, **flags}

    return [
        case("token-new-in-config", expect="either", key="added_tokens_decoder", edits={TOK: {"added_tokens_decoder.170": added("hello")}}),
        case("token-mask-not-split", expect="either", key="split_special_tokens", edits={TOK: {"split_special_tokens": True}}),
        case("token-additional", expect="either", key="additional_special_tokens", edits={TOK: {"additional_special_tokens": ["the"]}}),
        case("token-other-mask", expect="refused", key="mask_token", edits={TOK: {"mask_token": "<mask>"}}),
        case("token-other-cls", expect="refused", key="cls_token", edits={TOK: {"cls_token": "[MASK]"}}),
        case("token-type-names-left-out", edits={TOK: {"model_input_names": ["input_ids", "attention_mask"]}}),
        case("token-no-mask-name", "st6.2", "refused", "model_input_names", edits={TOK: {"model_input_names": ["input_ids"]}}),
        case("token-no-decoder", edits={TOK: {"added_tokens_decoder": OUT}}),
        case("token-map-missing", edits={"special_tokens_map.json": None}),
        case("token-harmless-keys", edits={TOK: {"never_split": None, "do_basic_tokenize": True, "max_length": 128, "stride": 0,
                                                 "truncation_strategy": "longest_first", "pad_to_multiple_of": None, "pad_token_type_id": 0,
                                                 "clean_up_tokenization_spaces": True, "name_or_path": "x"}}),
        case("token-unknown-key", "st6.2", "refused", "lower_umlauts", edits={TOK: {"lower_umlauts": True}}),
        case("vocabulary-only-lower", encoder=UNCASED, vocabulary_only=True),
        case("vocabulary-only-cased", vocabulary_only=True),
        case("vocabulary-only-no-config", vocabulary_only=True, edits={TOK: None, "special_tokens_map.json": None}),
        case("vocabulary-only-accents", "st2.7", encoder=lower(do_lower_case=True, strip_accents=False, tokenize_chinese_chars=False), vocabulary_only=True),
        case("vocabulary-piece-twice", "st6.2", "refused", "vocab.txt", vocabulary_only=True, edits={"vocab.txt": "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nx\ny\nx\n"}),
        case("token-file-elsewhere", "st6.2", "refused", "tokenizer_file", edits={TOK: {"tokenizer_file": "nowhere/tokenizer.json"}}),
        case("vocabulary-beside-tokenizer", expect="embeds", edits={"vocab.txt": "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nx\n"}),
    ]


def modules() -> list[dict]:
    """What comes after the pooling, and truncate_dim."""
    rows = [case(f"dense-{name.lower()}", modules=[["Dense", {"out_features": 12, "activation": name}]])
            for name in ["Tanh", "Identity", "ReLU", "GELU"]]
    dense = [["Dense", {"out_features": 12, "activation": "Tanh"}]]
    return rows + [
        case("dense-no-bias", modules=[["Dense", {"out_features": 24, "bias": False, "activation": "Identity"}], *NORM]),
        case("dense-st3.4", "st3.4", modules=[*dense, *NORM]),
        case("dense-st5.3-twice", "st5.3", modules=[*dense, ["Dense", {"out_features": 8, "activation": "Identity"}]], pooling={"pooling_mode": "cls"}),
        case("dense-st2.7-pickled", "st2.7", "refused", "pytorch_model.bin", modules=dense),
        case("dense-sigmoid", modules=[["Dense", {"out_features": 12, "activation": "Sigmoid"}]], expect="either", key="activation_function"),
        case("dense-foreign-activation", "st6.2", "refused", "activation_function", modules=dense,
             edits={"2_Dense/config.json": {"activation_function": "gelu_of.mine"}}),
        case("dense-no-activation", modules=dense, edits={"2_Dense/config.json": {"activation_function": OUT}}, expect="either", key="activation_function"),
        case("dense-residual", modules=[["Dense", {"out_features": 16, "use_residual": True}]], expect="either", key="use_residual"),
        case("dense-unknown-key", "st6.2", "refused", "temperature", modules=dense, edits={"2_Dense/config.json": {"temperature": 2}}),
        case("layer-norm", modules=[["LayerNorm", {}]]),
        case("layer-norm-st5.3-dropout", "st5.3", modules=[["Dropout", {"dropout": 0.3}], ["LayerNorm", {}], *NORM]),
        case("dropout", modules=[["Dropout", {"dropout": 0.5}]]),
        case("normalize-first", modules=[*NORM, *dense]),
        case("truncate", model={"truncate_dim": 6}),
        case("truncate-after-normalize", model={"truncate_dim": 6}, modules=NORM),
        case("truncate-tf5", "st6.2-tf5", model={"truncate_dim": 6}, modules=NORM),
        case("truncate-dense", model={"truncate_dim": 5}, modules=[*NORM, *dense]),
        case("truncate-wider", edits={CST: {"truncate_dim": 100}}),
        case("truncate-null", edits={CST: {"truncate_dim": None}}),
        case("truncate-zero", "st6.2", "refused", "truncate_dim", edits={CST: {"truncate_dim": 0}}),
        case("truncate-negative", "st6.2", "refused", "truncate_dim", edits={CST: {"truncate_dim": -1}}),
        case("similarity-dot", model={"similarity_fn_name": "dot"}),
        case("settings-unknown-key", "st6.2", "refused", "pool_twice", edits={SBC: {"pool_twice": True}}),
        case("model-unknown-key", "st6.2", "refused", "rescale", edits={CST: {"rescale": 2}}),
        case("model-type-cross-encoder", "st6.2", "refused", "model_type", edits={CST: {"model_type": "CrossEncoder"}}),
        case("module-unknown", "st6.2", "refused", "WeightedLayerPooling", edits={"modules.json": {"1.type": "sentence_transformers.models.WeightedLayerPooling"}}),
        case("module-arguments", "st6.2", "refused", "kwargs", edits={"modules.json": {"0.kwargs": ["task"]}}),
        case("settings-other-output", "st6.2", "refused", "method_output_name",
             edits={SBC: {"modality_config.text.method_output_name": "pooler_output"}}),
        case("settings-message", "st6.2", "refused", "modality_config", encoder=lower(chat_template="{% for m in messages %}[MASK] {{ m['content'] }}{% endfor %}"),
             edits={SBC: {"modality_config.message": {"method": "forward", "method_output_name": "last_hidden_state"}}}),
        case("module-name-twice", "st6.2", "refused", "modules.json", modules=NORM, edits={"modules.json": {"2.name": "1"}}),
        case("adapter", "st6.2", "refused", "adapter_config.json", edits={"adapter_config.json": {"peft_type": "LORA", "base_model_name_or_path": "x"}}),
        case("settings-file-missing", "st5.3", edits={SBC: None}),
        case("settings-old-file-name", "st2.7", edits={SBC: None, "sentence_distilbert_config.json": {"max_seq_length": 11, "do_lower_case": True}}),
        case("settings-two-files", "st2.7", edits={SBC: {"max_seq_length": 21}, "sentence_roberta_config.json": {"max_seq_length": 11}}),
        case("folder-0-transformer", "st5.3", subfolder=True, transformer={"max_seq_length": 18}),
        case("folder-0-transformer-st6.2", "st6.2", subfolder=True),
        case("cache-links", "st6.2", encoder=UNCASED, links=True),
    ]


def encoders() -> list[dict]:
    """config.json and the names of weights."""
    def config(**changes) -> dict:
        return {"encoder": {"config": changes}}

    return [
        case("names-gamma-beta", tensors={"pairs": [["LayerNorm.weight", "LayerNorm.gamma"], ["LayerNorm.bias", "LayerNorm.beta"]]}),
        case("head-masked-lm", encoder={"head": "BertForMaskedLM"}, bare_encoder=True),
        case("head-classifier", "st3.4", encoder={"head": "BertForSequenceClassification"}, bare_encoder=True),
        case("head-pretraining-tf5", "st6.2-tf5", encoder={"head": "BertForPreTraining"}, bare_encoder=True),
        case("names-no-pooler", tensors={"pairs": [], "drop": "pooler"}),
        case("names-tensor-missing", "st6.2", "refused", "encoder.layer.1.output.dense.bias", tensors={"pairs": [], "drop": "encoder.layer.1.output.dense.bias"}),
        case("activation-relu", **config(hidden_act="relu")),
        case("activation-gelu-new", expect="either", key="hidden_act", **config(hidden_act="gelu_new")),
        case("activation-tanh-gelu", expect="either", key="hidden_act", **config(hidden_act="gelu_pytorch_tanh")),
        case("activation-silu", expect="either", key="hidden_act", **config(hidden_act="silu")),
        case("activation-quick", expect="either", key="hidden_act", **config(hidden_act="quick_gelu")),
        case("activation-mish", "st6.2", "refused", "hidden_act", edits={"config.json": {"hidden_act": "mish"}}),
        case("epsilon", **config(layer_norm_eps=0.1)),
        case("positions-relative", "st6.2", "refused", "position_embedding_type", **config(position_embedding_type="relative_key")),
        case("decoder", "st6.2", "refused", "is_decoder", edits={"config.json": {"is_decoder": True}}),
        case("pruned", "st6.2", "refused", "pruned_heads", edits={"config.json": {"pruned_heads": {"0": [1]}}}),
        case("config-half", edits={"config.json": {"dtype": "float16"}}),
        case("config-harmless-keys", edits={"config.json": {"output_hidden_states": True, "use_cache": False, "pad_token_id": 3, "gradient_checkpointing": True,
                                                           "id2label": {"0": "a"}, "label2id": {"a": 0}, "return_dict": False, "_name_or_path": "x"}}),
    ]


def cases() -> list[dict]:
    """The whole table."""
    return plain() + poolings() + prompts() + lengths() + letters() + tokens() + modules() + encoders()
