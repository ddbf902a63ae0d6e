"""Keeps the triggers of SQLite while a migration makes a table again, which would drop them.

No trigger may refer to a table while it is missing, so a migration drops all of them before and creates them after:
`RunPython(drop_triggers, create_triggers)` and, at its end, `RunPython(create_triggers, drop_triggers)`.
"""

from typing import Any

_triggers: list[str] = []


def drop_triggers(_apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor != "sqlite":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        rows = cursor.fetchall()
    _triggers[:] = [sql for _, sql in rows]
    for name, _ in rows:
        schema_editor.execute(f"DROP TRIGGER {name}")


def create_triggers(_apps: Any, schema_editor: Any) -> None:
    for sql in _triggers:
        schema_editor.execute(sql)
    _triggers.clear()
