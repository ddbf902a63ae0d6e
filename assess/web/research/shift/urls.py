from django.urls import path

from assess.web.research.shift import document_views, downloads, views

urlpatterns = [
    path("shift/", views.shift, name="shift"),
    path("shift.csv", downloads.shift_csv, name="shift_csv"),
    path("shift.<str:kind>", downloads.shift_figure, name="shift_figure"),
    path("shift/golds/", views.golds, name="shift_golds"),
    path("shift/swaps/", views.swaps, name="shift_swaps"),
    path("shift/mixed/", views.mixed, name="shift_mixed"),
    path("shift/intervals/", views.intervals, name="shift_intervals"),
    path("shift/measures/", views.measures, name="shift_measures"),
    path("shift/differences/", views.differences, name="shift_differences"),
    path("shift/swap/", document_views.swap, name="swap"),
    path("shift/leverage/", document_views.leverage, name="leverage"),
    path("shift/tables/<str:table_file>", downloads.table, name="shift_table"),
    path("shift/figures/<str:figure_file>", downloads.figure, name="shift_chart"),
]
