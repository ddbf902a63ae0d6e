"""Access to the pages of an exercise: only its instructor, until the exercise expires. All others get a 404."""

from functools import wraps

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase

from assess.models import Exercise, User
from assess.models.exercise import not_expired
from assess.web.requests import View


class SignedInRequest(HttpRequest):
    """A request of a signed-in user, which LoginRequiredMiddleware ensures."""

    user: User


def exercise_view(view: View) -> View:
    """Decorate a view of one exercise. The view gets the exercise instead of the code in the URL."""

    @wraps(view)
    def guarded(request: SignedInRequest, code: str, **arguments: str | int) -> HttpResponseBase:
        exercises = Exercise.objects.select_related("collection", "instructor")
        exercise = exercises.filter(not_expired(), code=code, instructor=request.user).first()
        if exercise is None:
            raise Http404
        return view(request, exercise, **arguments)

    return guarded
