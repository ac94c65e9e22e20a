"""Prints what openpyxl reads from a workbook as JSON."""
import datetime
import json
import sys

import openpyxl


def shown(value):
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return {"date": value.isoformat()}
    return value


def sheet(ws, values):
    return {
        "name": ws.title,
        "cells": [[shown(c.value) for c in row] for row in ws.iter_rows()],
        "cached": [[shown(c.value) for c in row] for row in values.iter_rows()],
        "types": [[c.data_type for c in row] for row in ws.iter_rows()],
        "formats": [[c.number_format for c in row] for row in ws.iter_rows()],
        "fills": [[c.fill.fgColor.rgb if c.fill.fill_type else None for c in row] for row in ws.iter_rows()],
        "bold": [[bool(c.font.b) for c in row] for row in ws.iter_rows()],
        "align": [[c.alignment.horizontal for c in row] for row in ws.iter_rows()],
        "widths": {k: v.width for k, v in ws.column_dimensions.items()},
        "freeze": ws.freeze_panes,
        "filter": ws.auto_filter.ref,
        "orientation": ws.page_setup.orientation,
        "fit": [ws.sheet_properties.pageSetUpPr.fitToPage, ws.page_setup.fitToWidth, ws.page_setup.fitToHeight],
        "titles": ws.print_title_rows,
        "rules": [[str(r.sqref), [x.type for x in r.rules]] for r in ws.conditional_formatting],
        "images": len(ws._images),
        "charts": [
            {
                "kinds": [type(part).__name__ for part in chart._charts],
                "series": [
                    {"name": s.tx.strRef.f, "values": s.val.numRef.f, "points": len(s.val.numRef.numCache.pt)}
                    for part in chart._charts
                    for s in part.ser
                ],
            }
            for chart in ws._charts
        ],
    }


book = openpyxl.load_workbook(sys.argv[1])
values = openpyxl.load_workbook(sys.argv[1], data_only=True)
p = book.properties
print(
    json.dumps(
        {
            "sheets": [sheet(ws, values[ws.title]) for ws in book.worksheets],
            "properties": {
                "title": p.title,
                "creator": p.creator,
                "created": p.created.isoformat(),
                "modified": p.modified.isoformat(),
            },
        }
    )
)
