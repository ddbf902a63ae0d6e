"""The tags with which templates write the parts that many pages have.

{% sheet "Members" id="members" class="people" %} ... {% endsheet %}   a section with a heading
{% unless_archived %} ... {% endunless_archived %}                     a sentence in place of it in an archive
{% post_button "Archive" "research:archive" collection.slug %}         a form of one button
{% confirm "Revoke" "research:revoke" row.pk %} ... {% endconfirm %}   the same, opened first
{% labelled form.depth %}                                              a field with its label
{% select "set" "Topics" sets chosen_set empty="all topics" %}         a list, also where there are two choices
{% headings "topic" "judged:num" %}                                    the head of a table that no column sorts
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.forms import BoundField
from django.template import Context, Library, Node, NodeList, TemplateSyntaxError
from django.template.base import FilterExpression, Parser, Token, token_kwargs
from django.template.loader import get_template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from assess.web.frame.tags import pairs_of

register = Library()

SHEET_OPTIONS = frozenset({"id", "class"})


@dataclass(eq=False)
class SheetNode(Node):
    heading: FilterExpression
    options: dict[str, FilterExpression]
    nodelist: NodeList

    def render(self, context: Context) -> SafeString:
        options = {name: option.resolve(context) for name, option in self.options.items()}
        name, css = options.get("id"), options.get("class")
        return format_html(
            '<section class="{}"{}>\n<h2>{}</h2>\n{}{}</section>',
            f"sheet {css}" if css else "sheet",
            format_html(' id="{}"', name) if name else "",
            self.heading.resolve(context),
            _refusal(context, name),
            self.nodelist.render(context),
        )


def _refusal(context: Context, name: str | None) -> SafeString | str:
    """Return why a form of the section with this name was refused."""
    refusal = context.get("refusal")
    if not (name and refusal and context.get("section") == name):
        return ""
    return format_html('<p class="refusal" role="alert">{}</p>', refusal)


@register.tag
def sheet(parser: Parser, token: Token) -> SheetNode:
    """{% sheet HEADING id=value class=value %} ... {% endsheet %}"""
    tag, heading, *bits = token.split_contents()
    options = token_kwargs(bits, parser)
    if bits or not options.keys() <= SHEET_OPTIONS:
        raise TemplateSyntaxError(f"{{% {tag} %}} takes a heading, id and class, not {token.contents!r}.")
    nodes = parser.parse(("endsheet",))
    parser.delete_first_token()
    return SheetNode(parser.compile_filter(heading), options, nodes)


@dataclass(eq=False)
class UnlessArchivedNode(Node):
    nodelist: NodeList

    def render(self, context: Context) -> str:
        if context["collection"].archived_at:
            return get_template("research/_archived.html").render()
        return self.nodelist.render(context)


@register.tag
def unless_archived(parser: Parser, _token: Token) -> UnlessArchivedNode:
    """{% unless_archived %} what changes the collection {% endunless_archived %}"""
    nodes = parser.parse(("endunless_archived",))
    parser.delete_first_token()
    return UnlessArchivedNode(nodes)


@register.inclusion_tag("forms/post_button.html")
def post_button(label: str, view: str, *arguments: Any, css: str = "", **hidden: Any) -> dict[str, Any]:
    """A form of one button, which posts the hidden values to a view with these arguments."""
    return {"label": label, "address": reverse(view, args=arguments), "css": css, "hidden": hidden}


@register.simple_block_tag(takes_context=True)
def confirm(context: Context, content: str, label: str, view: str, *arguments: Any) -> str:
    """The same button behind its name, below what it does."""
    parameters = {"label": label, "address": reverse(view, args=arguments), "content": content}
    return get_template("forms/confirm.html").render(parameters, context["request"])


@register.simple_tag
def labelled(field: BoundField) -> SafeString:
    """A field of a form with its label, without a help text."""
    return format_html('<div><label for="{}">{}</label>{}</div>', field.id_for_label, field.label, field)


@register.inclusion_tag("forms/choice.html")
def select(
    name: str, label: str, options: Iterable[str | tuple[Any, Any]], chosen: Any, *, empty: str = "", html_id: str = ""
) -> dict[str, Any]:
    """One choice as a list, never as a segmented control.

    `empty` is what no choice is called, and `html_id` an id other than the name.
    """
    pairs = [*([("", empty)] if empty else []), *pairs_of(options)]
    return {"name": name, "html_id": html_id, "label": label, "options": pairs, "chosen": chosen}


@register.simple_tag
def headings(*texts: str) -> SafeString:
    """The head of a table. A text may end with a colon and the class of its heading."""
    parts = [text.partition(":") for text in texts]
    cells = [(format_html(' class="{}"', css) if css else "", text) for text, _, css in parts]
    return format_html("<thead>\n<tr>{}</tr>\n</thead>", format_html_join("", '<th scope="col"{}>{}</th>', cells))
