"""Who may open an address of an exercise: its instructor. To anybody else it is not there, and to nobody
once its day to be erased has come."""

from functools import wraps

from django.http import Http404
from django.views.decorators.cache import never_cache

from assess.models import Exercise
from assess.models.exercise import still_kept


def exercise_view(view):
    """A view of one exercise, given it instead of the address's code."""

    @never_cache
    @wraps(view)
    def guarded(request, code, **arguments):
        found = Exercise.objects.select_related("collection", "instructor")
        exercise = found.filter(still_kept(), code=code, instructor=request.user).first()
        if exercise is None:
            raise Http404
        return view(request, exercise, **arguments)

    return guarded
