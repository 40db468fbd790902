"""The table of small text encoders: who writes each, with what, what is changed in its files afterwards, and what must come of it.

A case: `name`; `writer`, an environment of scripts/oracles/sentence-transformers; what write_model of text_model_parts.py takes (`encoder`,
`transformer`, `pooling`, `modules`, `model`); `edits` as in text_model_parts.edit; `tensors`, arguments of rename_tensors; `shards`, arguments
of write_shards. Every case is pinned: it embeds with the judge's vectors, or it is `refused` by a message that names `file` and `key`.
"""
OUT = "\0"  # takes a key out
CST, SBC, POOL, DENSE, TOK, TJ, MAP, ADDED = (
    "config_sentence_transformers.json", "sentence_bert_config.json", "1_Pooling/config.json", "2_Dense/config.json", "tokenizer_config.json",
    "tokenizer.json", "special_tokens_map.json", "added_tokens.json")
MODES = ["cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]
PROMPT = {"prompts": {"query": "the query: ", "passage": "passage: "}, "default_prompt_name": "query"}
LEFT = {"direction": "Left", "max_length": 12, "strategy": "LongestFirst", "stride": 0}
PAD_LEFT = {"strategy": "BatchLongest", "direction": "Left", "pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"}
UNCASED = {"cased": False}
NORM = [["Normalize", {}]]
THE = 220  # the id of `the` in the cased vocabulary


def lower(**tokenizer) -> dict:
    """A cased vocabulary with tokenizer arguments."""
    return {"tokenizer": tokenizer}


def case(name: str, writer: str = "st6.2", **parts) -> dict:
    """A row that gives the judge's vectors."""
    return {"name": name, "writer": writer, "expect": "embeds", **parts}


def refused(name: str, file: str | None, key: str | None, writer: str = "st6.2", **parts) -> dict:
    """A row that is refused: no key where the fault is the file's as a whole, no file where it is that of no single one."""
    named = {"file": file, "key": key}
    return {"name": name, "writer": writer, "expect": "refused", **{what: word for what, word in named.items() if word}, **parts}


def plain() -> list[dict]:
    """What every version saves when nothing is set."""
    return [
        case("st2.2-mean", "st2.2", encoder=UNCASED, modules=NORM),
        case("st2.7-mean", "st2.7", encoder=UNCASED, modules=NORM),
        case("st3.4-mean", "st3.4", encoder=UNCASED, modules=NORM),
        case("st4.1-mean", "st4.1", encoder=UNCASED, modules=NORM),
        case("st5.3-mean", "st5.3", encoder=UNCASED, modules=NORM),
        case("st6.2-mean", "st6.2", encoder=UNCASED, modules=NORM),
        case("st6.2-tf5-mean", "st6.2-tf5", encoder=UNCASED, modules=NORM),
        case("st2.2-cased-max", "st2.2", pooling={"pooling_mode": "max"}),
        case("st2.7-cased-cls", "st2.7", pooling={"pooling_mode": "cls"}),
        case("st3.4-cased-length", "st3.4", transformer={"max_seq_length": 20}),
        case("st6.2-saved-after-use", "st6.2", encode_first=True, transformer={"max_seq_length": 24}),
        case("st6.2-tf5-saved-after-use", "st6.2-tf5", encode_first=True, transformer={"max_seq_length": 24}),
        refused("transformers-alone", "modules.json", None, bare=True),
        refused("transformers5-alone", "modules.json", None, "st6.2-tf5", bare=True),
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
        case("pooling-both-forms", edits={POOL: {"pooling_mode": "max", "pooling_mode_cls_token": True}}),
        refused("pooling-none-true", POOL, "pooling_mode_mean_tokens", "st5.3", edits={POOL: {"pooling_mode_mean_tokens": False}}),
        refused("pooling-old-without-mean", POOL, "pooling_mode_mean_tokens", "st2.7", pooling={"pooling_mode": "cls"},
                edits={POOL: {"pooling_mode_mean_tokens": OUT}}),
        refused("pooling-unknown-key", POOL, "pooling_scale", edits={POOL: {"pooling_scale": 2}}),
        refused("pooling-unknown-mode", POOL, "pooling_mode", edits={POOL: {"pooling_mode": "attention"}}),
        refused("pooling-no-file", POOL, None, edits={POOL: None}),
        refused("pooling-other-width", POOL, "embedding_dimension", edits={POOL: {"embedding_dimension": 8}}),
        refused("pooling-left-out", "modules.json", None, edits={"modules.json": {"1": OUT}}),
    ]


def prompts() -> list[dict]:
    """Default prompts with and without their ids in the pooling."""
    without = {"include_prompt": False}
    rows = [case(f"prompt-left-out-{mode}", "st6.2", model=PROMPT, pooling={"pooling_mode": mode, **without}) for mode in MODES]
    return rows + [
        case("prompt-st2.7", "st2.7", model=PROMPT),
        case("prompt-st4.1-left-out", "st4.1", model=PROMPT, pooling={"pooling_mode": "weightedmean", **without}, transformer={"max_seq_length": 20}),
        case("prompt-st6.2", "st6.2", model=PROMPT, modules=NORM),
        case("prompt-st5.3-left-out", "st5.3", model=PROMPT, pooling={"pooling_mode": "mean", **without}),
        case("prompt-joins-word", "st6.2-tf5", model={"prompts": {"q": "un"}, "default_prompt_name": "q"}, pooling={"pooling_mode": "mean", **without}),
        case("prompt-ends-in-token", model={"prompts": {"q": "the [MASK]"}, "default_prompt_name": "q"}, pooling={"pooling_mode": "mean", **without}),
        case("prompt-longer-than-text", model={"prompts": {"q": "the query " * 40}, "default_prompt_name": "q"}, pooling={"pooling_mode": "mean", **without}),
        case("prompt-cut-at-left", encoder=lower(truncation_side="left", model_max_length=12), model=PROMPT, pooling={"pooling_mode": "mean", **without}),
        case("prompt-blank", model={"prompts": {"q": "   "}, "default_prompt_name": "q"}, pooling={"pooling_mode": "mean", **without}),
        case("prompt-empty", model={"prompts": {"q": ""}, "default_prompt_name": "q"}, pooling={"pooling_mode": "mean", **without}),
        case("prompt-none-chosen", "st3.4", model={"prompts": PROMPT["prompts"]}),
        refused("prompt-unknown-name", CST, "default_prompt_name", edits={CST: {"default_prompt_name": "title"}}),
        case("prompt-query-not-listed", "st6.2", edits={CST: {"default_prompt_name": "query", "prompts": {}}}),
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
        refused("length-one", SBC, "max_seq_length", edits={SBC: {"max_seq_length": 1}}),
        refused("length-above-positions", SBC, "max_seq_length", edits={SBC: {"max_seq_length": 100}}),
        refused("length-in-arguments", SBC, "tokenizer_args", "st5.3", edits={SBC: {"tokenizer_args": {"model_max_length": 10}, "max_seq_length": 20}}),
        refused("length-in-processor-arguments", SBC, "processor_kwargs", edits={SBC: {"processor_kwargs": {"model_max_length": 10}, "max_seq_length": 20}}),
        refused("length-in-tokenizer-arguments", SBC, "tokenizer_kwargs", edits={SBC: {"tokenizer_kwargs": {"model_max_length": 10}, "max_seq_length": 20}}),
        refused("length-in-calls", SBC, "processing_kwargs", edits={SBC: {"processing_kwargs": {"text": {"max_length": 10}}, "max_seq_length": 20}}),
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
        case("class-distilbert", edits={TOK: {"tokenizer_class": "DistilBertTokenizer", "do_lower_case": True}}),
        case("class-absent", edits={TOK: {"tokenizer_class": OUT, "do_lower_case": True}}),
        case("class-of-config", edits={TOK: {"tokenizer_class": OUT, "do_lower_case": True}, "config.json": {"tokenizer_class": "PreTrainedTokenizerFast"}}),
        case("class-of-config-below", edits={TOK: {"do_lower_case": True}, "config.json": {"tokenizer_class": "PreTrainedTokenizerFast"}}),
        case("class-of-config-below-foreign", "st2.7", edits={"config.json": {"tokenizer_class": "RobertaTokenizer"}}),
        refused("class-of-config-foreign", "config.json", "tokenizer_class",
                edits={TOK: {"tokenizer_class": OUT}, "config.json": {"tokenizer_class": "RobertaTokenizer"}}),
        refused("class-roberta", TOK, "tokenizer_class", edits={TOK: {"tokenizer_class": "RobertaTokenizer"}}),
        refused("class-own-code", TOK, "auto_map", edits={TOK: {"auto_map": {"AutoTokenizer": ["code.Tokenizer", None]}}}),
        case("normaliser-sequence",
             edits={TOK: {"do_lower_case": True}, TJ: {"normalizer": {"type": "Sequence", "normalizers": [
                 {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": False}]}}}),
        case("controls-kept", edits={TJ: {"normalizer.clean_text": False}}),
        case("short-words", edits={TJ: {"model.max_input_chars_per_word": 6}}),
    ]


def tokens() -> list[dict]:
    """Special and added tokens."""
    def added(content: str, **flags) -> dict:
        return {"content": content, "lstrip": False, "normalized": False, "rstrip": False, "single_word": False, "special": True, **flags}

    return [
        refused("token-new-in-config", TOK, "added_tokens_decoder", edits={TOK: {"added_tokens_decoder.170": added("hello")}}),
        refused("token-mask-not-split", TOK, "split_special_tokens", edits={TOK: {"split_special_tokens": True}}),
        case("token-additional", edits={TOK: {"additional_special_tokens": ["the"]}}),
        refused("token-other-mask", TOK, "mask_token", edits={TOK: {"mask_token": "<mask>"}}),
        refused("token-other-cls", TOK, "cls_token", edits={TOK: {"cls_token": "[MASK]"}}),
        case("token-type-names-left-out", edits={TOK: {"model_input_names": ["input_ids", "attention_mask"]}}),
        refused("token-no-mask-name", TOK, "model_input_names", edits={TOK: {"model_input_names": ["input_ids"]}}),
        case("token-no-decoder", edits={TOK: {"added_tokens_decoder": OUT}}),
        case("token-map-missing", edits={MAP: None}),
        case("token-harmless-keys", edits={TOK: {"never_split": None, "do_basic_tokenize": True, "max_length": 128, "stride": 0,
                                                 "truncation_strategy": "longest_first", "pad_to_multiple_of": None, "pad_token_type_id": 0,
                                                 "clean_up_tokenization_spaces": True, "name_or_path": "x"}}),
        refused("token-unknown-key", TOK, "lower_umlauts", edits={TOK: {"lower_umlauts": True}}),
        case("vocabulary-only-lower", encoder=UNCASED, vocabulary_only=True),
        case("vocabulary-only-cased", vocabulary_only=True),
        case("vocabulary-only-no-config", vocabulary_only=True, edits={TOK: None, MAP: None}),
        case("vocabulary-only-accents", "st2.7", encoder=lower(do_lower_case=True, strip_accents=False, tokenize_chinese_chars=False), vocabulary_only=True),
        refused("vocabulary-piece-twice", "vocab.txt", None, vocabulary_only=True, edits={"vocab.txt": "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nx\ny\nx\n"}),
        refused("token-file-elsewhere", TOK, "tokenizer_file", edits={TOK: {"tokenizer_file": "nowhere/tokenizer.json"}}),
        case("vocabulary-beside-tokenizer", edits={"vocab.txt": "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nx\n"}),
    ]


def token_files() -> list[dict]:
    """Which file says what the special and the added tokens are. As a token, the word `the` is found within others."""
    listed = {"added_tokens_decoder": OUT}
    return [
        case("map-below-list", "st3.4", edits={MAP: {"mask_token": "the"}}),
        case("map-over-config", "st2.2", edits={TOK: listed, MAP: {"mask_token": "the"}}),
        case("map-where-config-is-silent", "st2.7", edits={TOK: {**listed, "mask_token": OUT}, MAP: {"mask_token": "the"}}),
        case("map-further-tokens", "st3.4", edits={TOK: listed, MAP: {"additional_special_tokens": ["the"]}}),
        case("config-without-list-and-map", "st2.7", edits={TOK: {**listed, "mask_token": "the"}, MAP: None}),
        case("added-below-list", "st2.2", edits={ADDED: {"the": THE}}),
        case("added-without-list", "st2.7", edits={TOK: listed, ADDED: {"the": THE}}),
        case("added-below-tokenizer-json", "st2.2", edits={TOK: listed, TJ: {"added_tokens.4.single_word": True}, ADDED: {"[MASK]": 4}}),
        refused("added-other-id", ADDED, "the", "st2.7", edits={TOK: listed, ADDED: {"the": 170}}),
    ]


def modules() -> list[dict]:
    """What comes after the pooling, and truncate_dim."""
    rows = [case(f"dense-{name.lower()}", modules=[["Dense", {"out_features": 12, "activation": name}]])
            for name in ["Tanh", "Identity", "ReLU", "GELU"]]
    dense = [["Dense", {"out_features": 12, "activation": "Tanh"}]]
    return rows + [
        case("dense-no-bias", modules=[["Dense", {"out_features": 24, "bias": False, "activation": "Identity"}], *NORM]),
        case("dense-st3.4", "st3.4", modules=[*dense, *NORM]),
        case("dense-st4.1", "st4.1", modules=[*dense, *NORM], pooling={"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}),
        case("dense-st5.3-twice", "st5.3", modules=[*dense, ["Dense", {"out_features": 8, "activation": "Identity"}]], pooling={"pooling_mode": "cls"}),
        refused("dense-st2.7-pickled", "2_Dense/pytorch_model.bin", None, "st2.7", modules=dense),
        case("dense-sigmoid", modules=[["Dense", {"out_features": 12, "activation": "Sigmoid"}]]),
        refused("dense-foreign-activation", DENSE, "activation_function", modules=dense,
                edits={DENSE: {"activation_function": "gelu_of.mine"}}),
        case("dense-no-activation", modules=dense, edits={DENSE: {"activation_function": OUT}}),
        refused("dense-residual", DENSE, "use_residual", modules=[["Dense", {"out_features": 16, "use_residual": True}]]),
        refused("dense-unknown-key", DENSE, "temperature", modules=dense, edits={DENSE: {"temperature": 2}}),
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
        refused("truncate-zero", CST, "truncate_dim", edits={CST: {"truncate_dim": 0}}),
        refused("truncate-negative", CST, "truncate_dim", edits={CST: {"truncate_dim": -1}}),
        case("similarity-dot", model={"similarity_fn_name": "dot"}),
        refused("settings-unknown-key", SBC, "pool_twice", edits={SBC: {"pool_twice": True}}),
        refused("model-unknown-key", CST, "rescale", edits={CST: {"rescale": 2}}),
        refused("model-type-cross-encoder", CST, "model_type", edits={CST: {"model_type": "CrossEncoder"}}),
        refused("module-unknown", "modules.json", "type", edits={"modules.json": {"1.type": "sentence_transformers.models.WeightedLayerPooling"}}),
        refused("module-arguments", "modules.json", "kwargs", edits={"modules.json": {"0.kwargs": ["task"]}}),
        refused("settings-other-output", SBC, "modality_config",
                edits={SBC: {"modality_config.text.method_output_name": "pooler_output"}}),
        refused("settings-message", SBC, "modality_config", encoder=lower(chat_template="{% for m in messages %}[MASK] {{ m['content'] }}{% endfor %}"),
                edits={SBC: {"modality_config.message": {"method": "forward", "method_output_name": "last_hidden_state"}}}),
        refused("module-name-twice", "modules.json", None, modules=NORM, edits={"modules.json": {"2.name": "1"}}),
        refused("adapter", "adapter_config.json", None, edits={"adapter_config.json": {"peft_type": "LORA", "base_model_name_or_path": "x"}}),
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
        refused("names-tensor-missing", None, "encoder.layer.1.output.dense.bias", tensors={"pairs": [], "drop": "encoder.layer.1.output.dense.bias"}),
        case("activation-relu", **config(hidden_act="relu")),
        case("activation-gelu-new", **config(hidden_act="gelu_new")),
        case("activation-tanh-gelu", **config(hidden_act="gelu_pytorch_tanh")),
        case("activation-silu", **config(hidden_act="silu")),
        case("activation-quick", **config(hidden_act="quick_gelu")),
        case("weights-index", shards={"seed": 1, "alone": True}),
        case("weights-single-over-index", "st2.7", shards={"seed": 1, "alone": False}),
        refused("activation-mish", "config.json", "hidden_act", edits={"config.json": {"hidden_act": "mish"}}),
        case("epsilon", **config(layer_norm_eps=0.1)),
        refused("positions-relative", "config.json", "position_embedding_type", **config(position_embedding_type="relative_key")),
        refused("decoder", "config.json", "is_decoder", edits={"config.json": {"is_decoder": True}}),
        refused("pruned", "config.json", "pruned_heads", edits={"config.json": {"pruned_heads": {"0": [1]}}}),
        case("config-half", edits={"config.json": {"dtype": "float16"}}),
        case("config-harmless-keys", edits={"config.json": {"output_hidden_states": True, "use_cache": False, "pad_token_id": 3, "gradient_checkpointing": True,
                                                           "id2label": {"0": "a"}, "label2id": {"a": 0}, "return_dict": False, "_name_or_path": "x"}}),
    ]


def cases() -> list[dict]:
    """The whole table."""
    return plain() + poolings() + prompts() + lengths() + letters() + tokens() + token_files() + modules() + encoders()
