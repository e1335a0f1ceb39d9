"""Spark MLlib: LogisticRegression is P with regParam = lam, without intercept and standardization."""

import pyspark
from pyspark.ml.classification import LogisticRegression
from pyspark.ml.linalg import Vectors
from pyspark.sql import SparkSession
from serve import Answer, Task

VERSION = pyspark.__version__
SESSION = (
    SparkSession.builder.master("local[1]")
    .config("spark.ui.enabled", "false")
    .config("spark.ui.showConsoleProgress", "false")
    .config("spark.sql.shuffle.partitions", "1")
    .getOrCreate()
)
SESSION.sparkContext.setLogLevel("ERROR")


def fit(task: Task) -> Answer:
    rows = [((t + 1) / 2, Vectors.dense(x)) for t, x in zip(task.y.tolist(), task.X.tolist())]
    frame = SESSION.createDataFrame(rows, ["label", "features"]).coalesce(1).cache()
    model = LogisticRegression(regParam=task.lam, fitIntercept=False, standardization=False, **task.options()).fit(
        frame
    )
    passes = model.summary.totalIterations
    frame.unpersist()
    return {"w": model.coefficients.toArray(), "converged": passes < model.getMaxIter(), "iterations": passes}


FITS = {"LogisticRegression": fit}
