"""What a model's own configuration says of it, translated into the facts of a catalog row."""

from desktop.architectures.configs.config_facts import ConfigFacts, facts_of_config, read_config_text
from desktop.architectures.configs.file_kinds import AdapterConfig, kind_of_config, read_adapter, read_pipeline

__all__ = [
    "AdapterConfig",
    "ConfigFacts",
    "facts_of_config",
    "kind_of_config",
    "read_adapter",
    "read_config_text",
    "read_pipeline",
]
