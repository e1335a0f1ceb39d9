"""Spark MLlib: LinearSVC and LogisticRegression are P with regParam = lam; LinearRegression is documented as P with regParam = lam + l1,
elasticNetParam = l1/(lam + l1). Without intercept and standardization."""

from typing import Any

import pyspark
from pyspark.ml.classification import LinearSVC, LogisticRegression
from pyspark.ml.linalg import Vectors
from pyspark.ml.regression import LinearRegression
from pyspark.sql import SparkSession

VERSION = pyspark.__version__
SESSION = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false").config("spark.sql.shuffle.partitions", "1").getOrCreate()
SESSION.sparkContext.setLogLevel("ERROR")


def fit(kind: Any, **more: Any) -> Any:
    def fitted(task: Any) -> "dict[str, Any]":
        margin = task.loss != "squared"
        rows = [(float((t + 1) / 2 if margin else t), Vectors.dense(x)) for t, x in zip(task.y.tolist(), task.X.tolist())]
        frame = SESSION.createDataFrame(rows, ["label", "features"]).coalesce(1).cache()
        net = {} if kind is LinearSVC else {"elasticNetParam": task.l1 / (task.lam + task.l1)}
        model = kind(regParam=task.lam + task.l1, fitIntercept=False, standardization=False, **net, **more, **task.options()).fit(frame)
        summary = model.summary() if kind is LinearSVC else model.summary
        passes = summary.totalIterations
        frame.unpersist()
        return {"w": model.coefficients.toArray(), "converged": passes < model.getMaxIter(), "iterations": passes}

    return fitted


FITS = {"LinearSVC": fit(LinearSVC), "LogisticRegression": fit(LogisticRegression), "LinearRegression": fit(LinearRegression, solver="l-bfgs")}
