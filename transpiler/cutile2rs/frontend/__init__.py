"""Front end: reads cuTile Python from text alone and finds kernels, helpers, constants and launch sites.

Nothing here imports or runs user code. Start with `load_project`.
"""

from __future__ import annotations

from .bindings import (
    Binding,
    Class,
    Constant,
    ExternalModule,
    ExternalName,
    Function,
    Kernel,
    Unknown,
    UserModule,
)
from .kernels import Decorator, KernelDef, ParamDef
from .launches import LaunchSite
from .module import Module, qualify, statement_source
from .project import Project, load_project, module_name
from .scope import Import

__all__ = [
    "Binding",
    "Class",
    "Constant",
    "Decorator",
    "ExternalModule",
    "ExternalName",
    "Function",
    "Import",
    "Kernel",
    "KernelDef",
    "LaunchSite",
    "Module",
    "ParamDef",
    "Project",
    "Unknown",
    "UserModule",
    "load_project",
    "module_name",
    "qualify",
    "statement_source",
]
