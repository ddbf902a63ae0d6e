"""The tags of the parts that many pages have: what each writes, and that values are escaped."""

from types import SimpleNamespace

import pytest
from django import forms
from django.template import Context, Template, TemplateSyntaxError
from django.test import RequestFactory
from django.urls import reverse

from assess.errors import Refused


def rendered(text, **context):
    return " ".join(Template(text).render(Context(context)).split())


def test_sheet_is_a_section_with_its_heading():
    html = rendered('{% sheet heading id="runs" class="people" %}<p>{{ n }}</p>{% endsheet %}', heading="A & B", n=3)

    assert html == '<section class="sheet people" id="runs"> <h2>A &amp; B</h2> <p>3</p></section>'


def test_sheet_shows_the_refusal_of_its_own_section_only():
    text = '{% sheet "Runs" id="runs" %}{% endsheet %}{% sheet "Rules" id="rules" %}{% endsheet %}'
    html = rendered(text, refusal=Refused("<No> run."), section="rules")

    assert html.count("&lt;No&gt; run.") == 1
    assert html.index("Rules") < html.index("&lt;No&gt; run.")


def test_sheet_refuses_an_option_that_it_does_not_have():
    with pytest.raises(TemplateSyntaxError, match=r"takes a heading, id and class, not 'sheet \"Runs\" name=\"x\"'"):
        Template('{% sheet "Runs" name="x" %}{% endsheet %}')


@pytest.mark.parametrize("is_archived", [False, True])
def test_unless_archived_says_that_nothing_can_be_changed(is_archived):
    collection = SimpleNamespace(archived_at="2026-01-01" if is_archived else None)
    html = rendered("{% unless_archived %}<form></form>{% endunless_archived %}", collection=collection)

    assert ("<form>" in html) is not is_archived
    assert ("while the collection is archived" in html) is is_archived


def test_post_button_posts_its_hidden_values():
    text = '{% post_button "Restore" "research:restore" "robust" css="main" kept=kept %}'
    html = rendered(text, csrf_token="token", kept="a&b")

    assert f'<form method="post" action="{reverse("research:restore", args=["robust"])}">' in html
    assert 'name="csrfmiddlewaretoken" value="token"' in html
    assert '<input type="hidden" name="kept" value="a&amp;b">' in html
    assert '<button class="main">Restore</button>' in html


def test_confirm_shows_its_button_only_when_it_is_opened():
    text = '{% confirm "End all" "site:end_sessions" 7 %}<p>{{ name }} is signed out.</p>{% endconfirm %}'
    html = rendered(text, name="<Ada>", request=RequestFactory().get("/"))

    assert f'action="{reverse("site:end_sessions", args=[7])}"' in html
    assert "csrfmiddlewaretoken" in html
    assert "<summary>End all</summary> <p>&lt;Ada&gt; is signed out.</p> <button>End all</button> </details>" in html


def test_labelled_field():
    class Form(forms.Form):
        depth = forms.IntegerField(label="Depth & more", required=False)

    assert rendered("{% labelled form.depth %}", form=Form()) == (
        '<div><label for="id_depth">Depth &amp; more</label><input type="number" name="depth" id="id_depth"></div>'
    )


def test_select_is_a_list_even_with_two_options():
    text = '{% select "set" "Topics" options chosen empty="all" html_id="of-topics" %}'
    html = rendered(text, options=[("dev", "development"), "test"], chosen="test")

    assert '<label for="of-topics">Topics</label> <select name="set" id="of-topics">' in html
    assert (
        '<option value="">all</option><option value="dev">development</option>'
        '<option value="test" selected>test</option>'
    ) in html


def test_headings_have_the_class_after_a_colon():
    assert rendered('{% headings "topic" "P(A):num" "erased on:only-wide" %}') == (
        '<thead> <tr><th scope="col">topic</th><th scope="col" class="num">P(A)</th>'
        '<th scope="col" class="only-wide">erased on</th></tr> </thead>'
    )
