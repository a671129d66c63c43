"""Reads a module's build file and metadata into one frozen ``Module``, with extensions merged."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from ...model.problem import Problem, UmpireError, Unreadable
from .archive import Archive, open_archive
from .buildfile_maps import ImageSize, is_map, read_map
from .buildfile_parts import (
    read_custom,
    read_dice,
    read_html_charts,
    read_kept,
    read_options,
    read_properties,
    read_setups,
    read_sides,
    read_symbolic_dice,
    read_turn_trackers,
)
from .buildfile_slots import (
    bounded,
    is_slot,
    own_fields,
    read_slot,
    unknown_traits,
    unread_slots,
)
from .buildfile_terrain import read_terrain
from .components import Component, component_tree, find_target
from .grids import Size
from .images import image_size
from .limits import DEFAULT_LIMITS, MIB, Limits
from .lineage import Lineage, settle
from .module import ExtensionInfo, Module, Prototype
from .xml import parse_xml

_ROOTS = ("GameModule", "BasicModule")
_EXTENSION = "ModuleExtension"
_IMAGE_HEAD = 64 * 1024
_LONG_HEAD = MIB
_WHOLE_IMAGE = 64 * MIB


def extensions_beside(path: Path) -> tuple[Path, ...]:
    """Extensions the engine would load with a module: the files in ``NAME_ext``, by name. A broken link is
    among them, so that reading it reports a problem."""
    if not path.name:  # the root, or the folder we are in
        return ()
    folder = path.with_name(path.stem + "_ext")
    if not folder.is_dir():
        return ()
    files = (file for file in folder.iterdir() if not file.is_dir())
    return tuple(sorted(f for f in files if f.suffix.lower() in (".vmdx", ".mdx")))


def open_module(
    path: Path | str,
    extensions: Sequence[Path | str] = (),
    limits: Limits = DEFAULT_LIMITS,
    *,
    find_extensions: bool = False,
) -> Module:
    """Read a module, or an extension by itself, with extensions merged in the given order.

    ``find_extensions`` adds those in the folder ``NAME_ext`` beside the module. An extension that
    cannot be read or does not fit is a Problem, not an error. Raises ``Unreadable`` if the file is
    not a module, is damaged, has a DTD or passes a limit.
    """
    path = Path(path)
    wanted = [Path(extension) for extension in extensions]
    if find_extensions:
        wanted += [found for found in extensions_beside(path) if found not in wanted]
    with ExitStack() as stack:
        archive = stack.enter_context(open_archive(path, limits))
        name, root = _root(archive, limits)
        lineage = Lineage()
        lineage.add(archive)
        settle(root, lineage)
        problems: list[Problem] = []
        infos = []
        archives = [archive]
        for number, extension in enumerate(wanted, start=1):
            try:
                added = stack.enter_context(open_archive(extension, limits))
                infos.append(_merge(root, added, number, limits, problems))
                archives.append(added)
                lineage.add(added)
                settle(root, lineage)
            except UmpireError as error:
                problems.append(
                    Problem(
                        "extension-unreadable",
                        f"the extension is left out: {error.what}",
                        error.where or extension.name,
                        severity="error",
                    )
                )
        return _Assembly(root, archives, problems).module(path.name, archive, name, infos)


def _root(archive: Archive, limits: Limits) -> tuple[str, Component]:
    name, data = archive.build_file()
    root = component_tree(parse_xml(data, f"{archive.where}: {name}", limits))
    if root.short not in _ROOTS and root.short != _EXTENSION:
        raise Unreadable(
            f"the root element is {root.cls}",
            where=f"{archive.where}: {name}",
            expected="VASSAL.build.GameModule",
        )
    return name, root


def _merge(
    root: Component, archive: Archive, number: int, limits: Limits, problems: list[Problem]
) -> ExtensionInfo:
    """Hang an extension's components into the module's tree (ModuleExtension, ExtensionElement)."""
    name, data = archive.build_file()
    tree = component_tree(parse_xml(data, f"{archive.where}: {name}", limits), origin=number)
    if tree.short != _EXTENSION:
        raise Unreadable("this is not an extension", where=archive.where, expected="a .vmdx file")
    if tree.get("module") != root.get("name") and tree.get("anyModule") != "true":
        problems.append(
            Problem(
                "extension-of-another-module",
                f"the extension is made for {tree.get('module')!r}, "
                f"the module is {root.get('name')!r}; it is merged anyway",
                archive.where,
            )
        )
    for child in list(tree.elements):
        if child.short != "ExtensionElement":
            root.adopt(child)
            continue
        target = find_target(root, child.get("target"))
        if target is None:
            problems.append(
                Problem(
                    "extension-target-missing",
                    f"the module has no component {child.get('target')[:200]!r}; "
                    "what the extension adds there is left out",
                    archive.where,
                )
            )
        elif child.elements:
            target.adopt(child.elements[0])
    return ExtensionInfo(
        name=archive.where.rpartition(".")[0] or archive.where,
        version=tree.get("version"),
        extension_id=tree.get("extensionId"),
        module=tree.get("module"),
        module_version=tree.get("moduleVersion"),
        file_name=archive.where,
        sha256=archive.sha256,
    )


class _Assembly:
    """A component tree and the archives its images are in, on the way to a Module."""

    def __init__(
        self, root: Component, archives: Sequence[Archive], problems: list[Problem]
    ) -> None:
        self.root, self.archives, self.problems = root, archives, problems
        # extensions are built after the module, so their maps and trackers are numbered after it
        self.components = sorted(root.walk(), key=lambda component: component.origin)

    def module(
        self, file_name: str, archive: Archive, build_file: str, extensions: list[ExtensionInfo]
    ) -> Module:
        """Read all parts and freeze them."""
        root, components, problems = self.root, self.components, self.problems
        images: ImageSize = ImageSizes(self.archives)
        windows = [component for component in components if is_map(component)]
        most = archive.limits.places
        maps = tuple(
            replace(read_map(window, n, images, problems), most_places=most)
            for n, window in enumerate(windows)
        )
        prototypes = [
            Prototype(c.get("name"), c.text) for c in components if c.kind == "PrototypeDefinition"
        ]
        slots = tuple(read_slot(component) for component in components if is_slot(component))
        problems += unread_slots(slots)
        problems += unknown_traits(slots, prototypes)
        metadata = archive.metadata("moduledata")
        return Module(
            name=root.get("name") or root.get("module"),
            version=root.get("version"),
            vassal_version=root.get("VassalVersion")
            or root.get("vassalVersion")
            or (metadata.vassal_version if metadata else ""),
            description=root.get("description"),
            file_name=file_name,
            sha256=archive.sha256,
            build_file=build_file,
            maps=maps,
            prototypes=MappingProxyType({p.name: p for p in prototypes}),
            slots=slots,
            sides=read_sides(components),
            turn_trackers=read_turn_trackers(components, problems),
            global_properties=read_properties(components),
            dice=read_dice(components),
            symbolic_dice=read_symbolic_dice(components),
            kept_properties=read_kept(components),
            own_fields=own_fields(slots, prototypes),
            predefined_setups=read_setups(components),
            custom_components=read_custom(components, problems),
            options=read_options(components),
            html_charts=read_html_charts(components),
            extensions=tuple(extensions),
            terrain=read_terrain(
                components, maps, self.archives, problems, whole=root.short != _EXTENSION
            ),
            problems=(*(p for a in self.archives for p in a.problems), *bounded(problems)),
        )


class ImageSizes:
    """Sizes of images by the name boards use, found as the engine finds them.

    Under ``images/``, ``.gif`` may be left out, names may be stored decomposed; a module's images
    come before its extensions'.
    """

    def __init__(self, archives: Sequence[Archive]) -> None:
        self._archives = archives
        self._composed = [
            {unicodedata.normalize("NFC", name): name for name in archive.names}
            for archive in archives
        ]
        self._known: dict[str, Size | None] = {}

    def __call__(self, image: str) -> Size | None:
        """Width and height in pixels, None if there is no such image or it is unreadable."""
        if image not in self._known:
            self._known[image] = self._find(image)
        return self._known[image]

    def _find(self, image: str) -> Size | None:
        wanted = unicodedata.normalize("NFC", f"images/{image}")
        for archive, names in zip(self._archives, self._composed, strict=True):
            entry = names.get(wanted) or names.get(wanted + ".gif")
            if entry is None:
                continue
            try:
                return _size_in(archive, entry)
            except Unreadable as error:
                archive.problems.append(Problem("image-unreadable", error.what, error.where))
                return None
        return None


def _size_in(archive: Archive, entry: str) -> Size | None:
    """Size of an image by its first bytes; by all of it where they do not tell (a JPEG may hide its
    size behind a long preview, a TIFF has it at the end), unless it is too long for that."""
    size = image_size(entry, io.BytesIO(archive.head(entry, _IMAGE_HEAD)))
    if size is not None:
        return size
    whole = archive.size(entry) <= _WHOLE_IMAGE
    return image_size(
        entry, io.BytesIO(archive.read(entry) if whole else archive.head(entry, _LONG_HEAD))
    )
