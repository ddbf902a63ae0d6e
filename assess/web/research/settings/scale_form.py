"""The editor of a scale: one row of fields for each grade. Works without JavaScript."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django import forms

from assess.collections.colours import PALETTE
from assess.collections.scale import MAX_MEANING, MAX_NAME, GradeSpec, check_grades
from assess.errors import Refused
from assess.web.grades import grade_buttons
from assess.web.requests import RefusingForm
from pooling.choices import MAX_GRADES

EMPTY_ROWS = 2  # after the last grade, for more
NO_COLOUR = ("", "none")


class GradeForm(RefusingForm):
    """One grade. A row without a name and a meaning is not used."""

    value = forms.IntegerField(
        label="Value",
        required=False,
        min_value=0,
        max_value=MAX_GRADES - 1,
        widget=forms.NumberInput(attrs={"size": 2}),
    )
    name = forms.CharField(label="Name", required=False, max_length=MAX_NAME)
    colour = forms.ChoiceField(label="Colour", required=False)
    meaning = forms.CharField(label="Meaning", required=False, max_length=MAX_MEANING)

    def __init__(self, position: int, data: Mapping[str, Any] | None = None, grade: GradeSpec | None = None) -> None:
        initial = {"value": position} if grade is None else vars(grade)
        super().__init__(data, initial=initial, prefix=f"grade-{position}", auto_id="id-%s")
        colours = [NO_COLOUR, *PALETTE.items()]
        stored = str(initial.get("colour", ""))
        if stored and stored not in PALETTE:
            colours.append((stored, stored))
        cast("forms.ChoiceField", self.fields["colour"]).choices = colours

    @property
    def is_used(self) -> bool:
        return any(str(self[name].value() or "").strip() for name in ("name", "meaning"))

    def grade(self) -> GradeSpec:
        """Return the grade of this row, or refuse it."""
        values = self.cleaned()
        if values["value"] is None:
            raise Refused(f"The grade {values['name']!r} needs a value from 0 to {MAX_GRADES - 1}.")
        return GradeSpec(values["value"], values["name"], values["meaning"], values["colour"])


class ScaleEditor:
    """The rows of a scale, from a request or from existing grades."""

    def __init__(self, data: Mapping[str, Any] | None = None, grades: Sequence[GradeSpec] = ()) -> None:
        given = dict(enumerate(grades))
        self._stored = None if data is not None else list(grades)
        self._rows = [GradeForm(position, data, given.get(position)) for position in range(MAX_GRADES)]

    @property
    def rows(self) -> list[GradeForm]:
        """The rows to show: those in use and a few empty ones."""
        used = [position for position, row in enumerate(self._rows) if row.is_used]
        return self._rows[: (used[-1] + 1 if used else 0) + EMPTY_ROWS]

    def grades(self) -> list[GradeSpec]:
        """Return the grades, lowest first, or refuse them."""
        if self._stored is not None:
            check_grades(self._stored)
            return self._stored
        grades = sorted((row.grade() for row in self._rows if row.is_used), key=lambda grade: grade.value)
        check_grades(grades)
        return grades


def preview_of(editor: ScaleEditor) -> dict[str, Any]:
    """Return the buttons that assessors will see, or the sentence about what is wrong."""
    try:
        return {"buttons": grade_buttons(editor.grades())}
    except Refused as refusal:
        return {"problem": refusal}
